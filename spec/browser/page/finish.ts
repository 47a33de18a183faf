/**
 * @file Last in a page's script: runs what was described, and reports each test to Node as it ends.
 */
import type { PageFailure, PageTest, Report } from '../report.js';

/** Put into the page by the harness. */
declare const report: (news: Report) => Promise<void>;

const tell = (news: Report): void => void report(news);

const runner = mocha.run();
const tellOf = (test: Mocha.Runnable, state: PageTest['state'], failure?: PageFailure): void =>
  tell({ kind: 'test', titles: test.titlePath(), state, failure });

interface Thrown extends Error {
  readonly showDiff?: boolean;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

function stackOf(error: Error): string {
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${stack}\nCaused by: ${stackOf(error.cause)}` : stack;
}

function failureOf(error: Thrown): PageFailure {
  const said = { message: error.message, stack: stackOf(error) };
  // The reporter has made text of what it would compare.
  const text = (value: unknown): string => (typeof value === 'string' ? value : Mocha.utils.stringify(value));
  return error.showDiff === true ? { ...said, actual: text(error.actual), expected: text(error.expected) } : said;
}

tell({ kind: 'start', tests: runner.total });
runner.on('test', (test: Mocha.Test) => tell({ kind: 'begin', titles: test.titlePath() }));
runner.on('pass', (test: Mocha.Test) => tellOf(test, 'passed'));
runner.on('pending', (test: Mocha.Test) => tellOf(test, 'skipped'));
// Of a hook too: then its title says so.
runner.on('fail', (test: Mocha.Test, error: Thrown) => tellOf(test, 'failed', failureOf(error)));
runner.on('end', () => tell({ kind: 'end' }));
