/** @file The tests' own machinery: a type error fails the run, TypeScript is really compiled, the runs are counted. */
import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLarge } from './support/property.js';
import { runProcess } from './support/runProcess.js';
import { projectRoot } from './support/sourceFiles.js';

const mocha = join(projectRoot, 'node_modules/mocha/bin/mocha.js');
const body = (line: string) => `import { expect } from 'chai';\nit('adds', () => {\n  ${line}\n});\n`;

describe('npm test', function () {
  this.timeout(60_000);
  let folder: string;

  // Inside the project, so that its configuration holds; outside spec/, so that no other run picks it up.
  before(() => {
    mkdirSync(join(projectRoot, '.cache'), { recursive: true });
    folder = mkdtempSync(join(projectRoot, '.cache/toolchain-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): string {
    const path = join(folder, `${name}-spec.ts`);
    writeFileSync(path, text);
    return path;
  }
  function run(...paths: readonly string[]) {
    const { status, stdout, stderr } = runProcess(process.execPath, [mocha, ...paths]);
    return { status, output: stdout + stderr };
  }

  // Each starts Mocha anew, some compile all types: that takes seconds, and no change of the engine breaks it.
  if (!isLarge()) return;

  it('runs what -g names, alone (F140)', () => {
    const path = join(folder, 'two-spec.ts');
    writeFileSync(path, "it('streaming', () => {});\nit('other', () => {});\n");
    const { stdout } = runProcess(process.execPath, [mocha, path, '-g', 'streaming'], { env: { TS_NODE_TRANSPILE_ONLY: '1' } });
    expect(stdout).to.match(/1 passed, 0 failed, 0 skipped/);
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['test']).to.match(/\bmocha$/); // npm appends what follows `--` to the end
  });

  it('fails on a type error in a spec, naming it, though the code would run', () => {
    const path = write('wrong-type', body("const add = (x: number) => x;\n  expect(add('2')).to.equal('2');"));
    const { status, output } = run(path);
    expect(status, output).to.not.equal(0);
    expect(output).to.match(/TS2345.*'string' is not assignable to parameter of type 'number'/);
  });

  it('compiles what happens to be JavaScript too, fails when a test fails, points at its line, and counts last', () => {
    const right = write('right', body('expect(1 + 1).to.equal(2);'));
    // As JavaScript this says (new Promise) < number > (…), which throws.
    const ambiguous = write(
      'ambiguous',
      "const number = 0;\nit('waits', () => {\n  const done = new Promise<number>((resolve) => resolve(number));\n  return done;\n});\n",
    );
    const wrong = write('wrong-sum', body('type Sum = number;\n  expect((1 + 1) as Sum).to.equal(3);'));
    const { status, output } = run(right, ambiguous, wrong);
    expect(status, output).to.equal(1);
    expect(output).to.match(/wrong-sum-spec\.ts:4:/);
    expect(output.trim().split('\n').at(-1)).to.equal('2 passed, 1 failed, 0 skipped');
  });
});
