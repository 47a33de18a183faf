/**
 * @file Opens a page, and listens to it until its specs have ended.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { poolWorkerText } from '../support/builtPool.js';
import { workerText } from '../support/builtWorker.js';
import { projectRoot } from '../support/sourceFiles.js';
import type { Bundle } from './bundle.js';
import { mappedStack } from './mappedStack.js';
import type { PageFailure, PageTest, Report } from './report.js';
import { serve, type Served } from './serve.js';

export interface Visit {
  readonly tests: readonly PageTest[];
  /** What ended the page before its specs had ended. */
  readonly fault?: string;
  readonly milliseconds: number;
}

export interface VisitOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** What the page's own specs read from its address. */
  readonly query?: string;
  /** Milliseconds that a page may stay silent, longer than a test may take. */
  readonly patience?: number;
  /** Hears of each report as it comes. */
  readonly onReport?: (news: Report) => void;
  /** Hears what the page's console prints. */
  readonly onLine?: (line: string) => void;
}

const HTML =
  '<!doctype html><meta charset="utf-8"><title>specs</title><script src="/mocha.js"></script><script type="module" src="/specs.js"></script>';

function filesOf(bundle: Bundle): ReadonlyMap<string, Served> {
  const mocha = readFileSync(join(projectRoot, 'node_modules/mocha/mocha.js'), 'utf8');
  return new Map<string, Served>([
    ['/', { type: 'text/html', text: HTML }],
    ['/favicon.ico', { type: 'text/html', text: '' }],
    ['/mocha.js', { type: 'text/javascript', text: mocha }],
    // Where the engine looks for it: beside its own script.
    ['/wasm-worker.js', { type: 'text/javascript', text: workerText() }],
    ['/pool-worker.js', { type: 'text/javascript', text: poolWorkerText() }],
    ['/specs.js', { type: 'text/javascript', text: bundle.script }],
  ]);
}

/** Runs the bundle in a page of its own. Never rejects for what the page does: that is its `fault`. */
export async function visit(browser: Browser, bundle: Bundle, options: VisitOptions = {}): Promise<Visit> {
  const { headers = {}, query = '', patience = 90_000, onReport, onLine } = options;
  const begun = performance.now();
  const server = await serve(filesOf(bundle), headers);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const heard = listen(page, patience);
    page.on('console', (message) => onLine?.(message.text()));
    await page.exposeBinding('report', (_source, news: Report) => {
      heard.report(news);
      onReport?.(news);
    });
    // A page that crashes while it loads says so itself.
    page.goto(`${server.address}${query}`).catch((error: Error) => heard.fail(`the page did not load: ${error.message}`));
    const fault = await heard.ended;
    const mapped = (failure: PageFailure): PageFailure => ({ ...failure, stack: mappedStack(failure.stack, bundle.map) });
    const tests = heard.tests.map((test) => (test.failure === undefined ? test : { ...test, failure: mapped(test.failure) }));
    return { tests, fault: fault && mappedStack(fault, bundle.map), milliseconds: performance.now() - begun };
  } finally {
    await context.close();
    await server.close();
  }
}

/** Collects what the page says. `ended` resolves with a fault, or with undefined after the last test. */
function listen(page: Page, patience: number) {
  const tests: PageTest[] = [];
  let current = 'its first test';
  let hasStarted = false;
  let settle!: (fault: string | undefined) => void;
  const ended = new Promise<string | undefined>((resolve) => (settle = resolve));
  const fail = (fault: string): void => settle(`${fault}, during ${current}`);
  const silence = setTimeout(() => fail(`the page said nothing for ${patience} ms`), patience);
  void ended.then(() => clearTimeout(silence));
  page.on('crash', () => fail('the page crashed'));
  page.context().on('close', () => fail('the browser ended'));
  // Later ones the runner sees too: they fail the test that they happen in.
  page.on('pageerror', (error) => {
    if (!hasStarted) fail(`the page failed to load its specs: ${error.stack ?? error.message}`);
  });
  const report = (news: Report): void => {
    silence.refresh();
    if (news.kind === 'start') hasStarted = true;
    else if (news.kind === 'begin') current = `"${news.titles.join(' ')}"`;
    else if (news.kind === 'end') settle(undefined);
    else {
      const { kind: _, ...test } = news;
      tests.push(test);
    }
  };
  return { tests, ended, fail, report };
}
