/**
 * @file The examples of the seed's sections "Benchmarking" and "Testing": the commands do what they say.
 */
import { isLarge } from '../support/property.js';
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { interleaved } from '../bench/interleaved.js';
import { kernels, tenMaps, tiny } from '../bench/workloads.js';
import { runProcess } from '../support/runProcess.js';
import { projectRoot } from '../support/sourceFiles.js';

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe('the command examples of the seed', function () {
  this.timeout(60_000);

  it('E60: the bench runs real graphs and measures each', async () => {
    expect(existsSync(join(projectRoot, scripts['bench'].split(' ').at(-1)!))).to.equal(true);
    const measured = await interleaved([tenMaps(1000), tiny('tiny', {}), ...kernels()], 1, 1, () => undefined);
    expect(measured.length).to.be.greaterThan(2);
    for (const { name, nanoseconds, perSecond } of measured) {
      expect(nanoseconds, name).to.be.greaterThan(0);
      expect(perSecond, name).to.be.closeTo(1e9 / nanoseconds, 1e9 / nanoseconds / 100);
    }
  });

  if (isLarge()) {
    it('E61: tests run all, with what they print, or one by name', () => {
      const mocha = join(projectRoot, 'node_modules/mocha/bin/mocha.js');
      const spec = 'spec/seed/diagnostics-spec.ts';
      const run = (...args: readonly string[]) =>
        runProcess(process.execPath, [mocha, spec, ...args], { env: { TS_NODE_TRANSPILE_ONLY: '1' } }).stdout;
      const all = run();
      expect(all).to.match(/E26: a diagnostic with context/); // each test is printed
      expect(Number(/(\d+) passed, 0 failed/.exec(all)![1])).to.be.greaterThan(1);
      expect(run('-g', 'E27')).to.match(/1 passed, 0 failed, 0 skipped/);
      expect(scripts['test']).to.match(/\bmocha$/); // so that npm test -- -g NAME reaches it
    });
  }
});
