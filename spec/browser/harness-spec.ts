/** @file The harness of browser specs loses no failure: of a test, of loading, of a page or of the browser. */
import { expect } from 'chai';
import Mocha from 'mocha';
import { dirname } from 'node:path';
import { readFileSync } from 'node:fs';
import { isLarge } from '../support/property.js';
import { bundle } from './bundle.js';
import { findChromium, launchChromium, type Chromium } from './chromium.js';
import { CONFIGURATIONS, GPU } from './configurations.js';
import { addTests } from './intoMocha.js';
import { portableSpecs } from './portable.js';
import type { PageTest } from './report.js';
import { visit, type Visit, type VisitOptions } from './visit.js';

const path = findChromium();

const visitFixture = async ({ browser }: Chromium, name: string, options?: VisitOptions): Promise<Visit> => {
  const entries = ['page/start.ts', `fixtures/${name}.ts`, 'page/finish.ts'];
  return visit(browser, await bundle(entries.map((entry) => `spec/browser/${entry}`)), options);
};

describe('tests of a page', () => {
  const failure = { message: 'wrong', stack: 'Error: wrong\n    at here.ts:1:2' };
  const tests: readonly PageTest[] = [
    { titles: ['a', 'b', 'passes'], state: 'passed' },
    { titles: ['a', 'b', 'fails'], state: 'failed', failure },
    { titles: ['a', 'is skipped'], state: 'skipped' },
  ];

  it('become tests here: same suites, same titles, same ends', async () => {
    const mocha = new Mocha({ reporter: Mocha.reporters.Base });
    const suite = Mocha.Suite.create(mocha.suite, 'page');
    suite.addTest(new Mocha.Test('begins', () => undefined));
    suite.beforeAll(() => addTests(suite, tests));
    const ends: string[] = [];
    await new Promise((resolve) => {
      const runner = mocha.run(resolve);
      runner.on('pass', (test) => ends.push(`${test.fullTitle()}: passed`));
      runner.on('pending', (test) => ends.push(`${test.fullTitle()}: skipped`));
      runner.on('fail', (test, error: Error) => ends.push(`${test.fullTitle()}: ${error.message} ${error.stack}`));
    });
    expect(ends).to.deep.equal([
      'page begins: passed',
      'page a is skipped: skipped',
      'page a b passes: passed',
      `page a b fails: wrong ${failure.stack}`,
    ]);
  });
});

describe('chromium', () => {
  it('is looked for on the PATH', () => {
    expect(findChromium('')).to.equal(undefined);
    expect(findChromium('/nowhere')).to.equal(undefined);
    if (path !== undefined) expect(findChromium(`/nowhere:${dirname(path)}`)).to.equal(path);
  });
});

if (isLarge()) {
  describe('spec files that can run in a page', function () {
    this.timeout(60_000);

    it('are most of them, those of every configuration among them; the others are named with the reason', async () => {
      const { portable, others } = await portableSpecs();
      const listed = CONFIGURATIONS.flatMap(({ specs }) => (specs === 'portable' || specs === GPU ? [] : specs));
      expect(portable).to.include.members(listed);
      for (const path of GPU) expect(others.get(path), path).to.match(/ imports gpu\.js$/);
      expect(portable.length).to.be.greaterThan(others.size);
      expect(others.get('spec/supplyChain-spec.ts')).to.equal('spec/supplyChain-spec.ts imports node:child_process');
    });
  });
}

if (isLarge() && path !== undefined) {
  describe('the harness of browser specs', function () {
    this.timeout(60_000);
    let chromium: Chromium;
    before(async () => {
      chromium = await launchChromium(path);
    });
    after(() => chromium.end());

    it('hears how each test ended, and names the lines of the spec', async () => {
      const { tests, fault } = await visitFixture(chromium, 'outcomes');
      expect(fault).to.equal(undefined);
      expect(tests.map(({ titles, state, failure }) => [titles.slice(1).join(' '), state, failure?.message])).to.deep.equal([
        ['passes', 'passed', undefined],
        ['fails', 'failed', 'expected { got: 1 } to deeply equal { wanted: 2 }'],
        ['is skipped', 'skipped', undefined],
        ['is hit by an error that nobody catches', 'failed', 'uncaught'],
        ['is hit by a promise that nobody awaits', 'failed', 'unhandled'],
        ['after a hook that fails "before all" hook for "never runs"', 'failed', 'hook'],
      ]);
      const { failure } = tests[1];
      expect([failure!.actual, failure!.expected].map((text) => JSON.parse(text!) as unknown)).to.deep.equal([
        { got: 1 },
        { wanted: 2 },
      ]);
      expect(failure!.stack).to.match(/spec\/browser\/fixtures\/outcomes\.ts:8:\d+/);
    });

    it('says that specs could not be loaded', async () => {
      const { tests, fault } = await visitFixture(chromium, 'broken');
      expect(tests).to.deep.equal([]);
      expect(fault).to.match(/failed to load its specs: Error: broken while it loads[^]*fixtures\/broken\.ts:4:\d+/);
    });

    it('does not wait for a page that has fallen silent', async () => {
      const { fault } = await visitFixture(chromium, 'endless', { patience: 1 });
      expect(fault).to.match(/^the page said nothing for 1 ms, during /);
    });

    it('says that a page crashed, and during which test', async () => {
      const onReport: VisitOptions['onReport'] = ({ kind }) => {
        if (kind !== 'begin') return;
        for (const id of chromium.processes()) {
          if (readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer')) process.kill(id, 'SIGKILL');
        }
      };
      const { fault } = await visitFixture(chromium, 'endless', { onReport });
      expect(fault).to.equal('the page crashed, during "never ends"');
    });

    it('says that the browser ended, leaves none of its processes behind, and starts another', async () => {
      const other = await launchChromium(path);
      expect(other.processes().length).to.be.greaterThan(1);
      const onReport: VisitOptions['onReport'] = ({ kind }) => {
        if (kind === 'begin') for (const id of other.processes()) process.kill(id, 'SIGKILL');
      };
      const { fault } = await visitFixture(other, 'endless', { onReport });
      expect(fault).to.match(/^the (browser ended|page crashed), during "never ends"$/);
      await other.end();
      expect(other.processes()).to.deep.equal([]);
    });
  });
}
