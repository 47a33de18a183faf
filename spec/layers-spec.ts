/** @file Imports follow the layers; the rule itself is shown to bite. */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importCycles, importsOf, layerFaults } from './support/layers.js';
import { projectRoot, sourceFiles } from './support/sourceFiles.js';

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const allowed = [...Object.keys(manifest['dependencies']), ...Object.keys(manifest['peerDependencies'])];
const faults = (files: Record<string, string>) => layerFaults(new Map(Object.entries(files)), ['rxjs', 'immer', 'gpu.js']);
const cycles = (files: Record<string, string>) => importCycles(new Map(Object.entries(files)));

describe('layers', () => {
  const files = sourceFiles('src');

  it('are imported in one direction only', () => {
    expect(layerFaults(files, allowed)).to.deep.equal([]);
  });

  it('have no circle of files', () => {
    expect(importCycles(files)).to.deep.equal([]);
  });

  it('call `new Function` in one file at most', () => {
    const callers = [...files].filter(([, text]) =>
      /\bnew Function\s*\(/.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|`new Function`/g, '')),
    );
    expect(callers.map(([path]) => path).slice(1)).to.deep.equal([]);
  });
});

describe('the rule of layers', () => {
  it('finds an arrow against the order, type-only and dynamic ones too', () => {
    for (const line of [
      "import { run } from '../run/run.js';",
      "import type { Run } from '../run/run.js';",
      "await import('../run/run.js');",
    ])
      expect(faults({ 'src/ops/a.ts': line, 'src/run/run.ts': '' })).to.deep.equal([
        'src/ops/a.ts imports src/run/run.ts: ops comes before run',
      ]);
  });

  it('lets a later layer import an earlier one, and neighbours each other', () => {
    const line = "export { x } from '../plan/b.js';";
    expect(faults({ 'src/run/a.ts': line, 'src/passes/a.ts': line, 'src/plan/b.ts': '' })).to.deep.equal([]);
  });

  it('finds rxjs before run/', () => {
    const line = "import { map } from 'rxjs/operators';";
    expect(faults({ 'src/backends/a.ts': line })).to.deep.equal([
      'src/backends/a.ts imports rxjs/operators: RxJS starts at run/',
    ]);
    expect(faults({ 'src/run/a.ts': line, 'src/executor.ts': line })).to.deep.equal([]);
  });

  it('finds Node modules outside cli and node, with and without the prefix (F005)', () => {
    expect(faults({ 'src/graph/a.ts': "import 'node:fs';\nimport 'path';" })).to.have.length(2);
    expect(
      faults({ 'src/cli/a.ts': "import 'node:fs';", 'src/cli.ts': "import 'node:fs';", 'src/node/a.ts': "import 'fs';" }),
    ).to.deep.equal([]);
  });

  it('finds gpu.js outside einstream/gpu, and packages that are no dependency (F005)', () => {
    expect(faults({ 'src/run/a.ts': "await import('gpu.js');" })).to.deep.equal([
      'src/run/a.ts imports gpu.js: only einstream/gpu may',
    ]);
    expect(faults({ 'src/run/a.ts': "import 'lodash';" })).to.deep.equal([
      'src/run/a.ts imports lodash, which is not a dependency of the package',
    ]);
    expect(faults({ 'src/backends/gpu/load.ts': "await import('gpu.js');" })).to.deep.equal([]);
  });

  it('finds a folder that no layer owns, a missing file, and code in a public entry', () => {
    expect(faults({ 'src/misc/a.ts': '' })).to.deep.equal(['src/misc/a.ts belongs to no layer: "misc" is unknown']);
    expect(faults({ 'src/run/a.ts': "import './b.js';" })).to.deep.equal(['src/run/a.ts imports ./b.js, which does not exist']);
    expect(faults({ 'src/index.ts': "export * from './run/a.js';\nexport const x = 1;", 'src/run/a.ts': '' })).to.deep.equal([
      'src/index.ts may hold nothing but "export … from", yet says: export const x = 1;',
    ]);
    expect(faults({ 'src/index.ts': '', 'src/run/a.ts': "import '../index.js';" })).to.deep.equal([
      'src/run/a.ts imports the public entry src/index.ts',
    ]);
  });

  it('finds a circle of any length, and a file that imports itself', () => {
    const circle = {
      'src/ops/a.ts': "import './b.js';",
      'src/ops/b.ts': "import './c.js';",
      'src/ops/c.ts': "export * from './a.js';",
    };
    expect(cycles(circle)).to.deep.equal(['src/ops/a.ts → src/ops/b.ts → src/ops/c.ts → src/ops/a.ts']);
    expect(cycles({ 'src/ops/a.ts': "import './a.js';" })).to.deep.equal(['src/ops/a.ts → src/ops/a.ts']);
    expect(
      cycles({ 'src/ops/a.ts': "import './b.js';\nimport './c.js';", 'src/ops/b.ts': "import './c.js';", 'src/ops/c.ts': '' }),
    ).to.deep.equal([]);
  });

  it('lets types refer to each other, for they are erased', () => {
    const types = {
      'src/ops/a.ts': "import type {\n  B,\n} from './b.js';\nexport type A = B | 'x';",
      'src/ops/b.ts': "import type { A } from './a.js';",
    };
    expect(cycles(types)).to.deep.equal([]);
    expect(cycles({ ...types, 'src/ops/b.ts': "import { type A } from './a.js';" })).to.deep.equal([]);
    expect(
      cycles({ 'src/ops/a.ts': "import { type B } from './b.js';", 'src/ops/b.ts': "import { type A } from './a.js';" }),
    ).to.have.length(1);
  });

  it('reads imports, not comments or strings', () => {
    expect(importsOf("// import 'a';\nconst s = \"import 'b'\";\nimport type { C } from 'c';\nexport * from 'd';")).to.deep.equal(
      ['c', 'd'],
    );
  });
});
