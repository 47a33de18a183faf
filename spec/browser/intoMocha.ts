/**
 * @file The tests of a page as tests of the run in Node, in the same suites, so that they are counted like any others.
 */
import Mocha from 'mocha';
import type { PageTest } from './report.js';

/** Adds a test for each to `suite`. Call it in a `before` hook of that suite: its tests run afterwards. */
export function addTests(suite: Mocha.Suite, tests: readonly PageTest[]): void {
  for (const test of tests) {
    const parent = test.titles.slice(0, -1).reduce(suiteIn, suite);
    parent.addTest(new Mocha.Test(test.titles.at(-1)!, bodyOf(test)));
  }
}

const suiteIn = (parent: Mocha.Suite, title: string): Mocha.Suite =>
  parent.suites.find((suite) => suite.title === title) ?? Mocha.Suite.create(parent, title);

/** A test without a body is one that was skipped. */
function bodyOf({ state, failure }: PageTest): Mocha.Func | undefined {
  if (state === 'skipped') return undefined;
  return () => {
    if (failure !== undefined) throw Object.assign(new Error(), failure);
  };
}
