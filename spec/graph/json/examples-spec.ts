import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as json from '../../../src/graph/json/index.js';
import { examplesIn, runExample } from '../../support/examples.js';
import { projectRoot } from '../../support/sourceFiles.js';

describe('The examples of the JSON reader and writer', () => {
  for (const [file, count] of [
    ['reader', 2],
    ['writer', 2],
  ] as const) {
    it(`of ${file}.ts are right`, async () => {
      const examples = examplesIn(readFileSync(join(projectRoot, `src/graph/json/${file}.ts`), 'utf8').replace(/^ \* ?/gm, ''));
      expect(examples).to.have.length(count);
      for (const code of examples) expect(await runExample(code, json, (name) => import(name))).to.be.above(0);
    });
  }
});
