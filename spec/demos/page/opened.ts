/**
 * @file The page of demos, built and served as a visitor gets it, in Debian's chromium.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build, preview, type PreviewServer } from 'vite';
import { launchChromium, type Chromium } from '../../browser/chromium.js';
import { projectRoot } from '../../support/sourceFiles.js';

const configFile = join(projectRoot, 'demos/page/vite.config.ts');

/** Milliseconds that a task of the main thread may take once all is compiled, on a busy machine too. */
export const BLOCKED = 400;

/** How long a page is waited for. */
export const PATIENCE = { timeout: 120_000 };

export interface Site {
  /** Opens the page at that view, in a window of its own. */
  readonly open: (view: 'stream' | 'digits') => Promise<Opened>;
  readonly close: () => Promise<void>;
}

export interface Opened {
  readonly page: Page;
  /** What the page said on its console as an error, and errors that nobody caught. */
  readonly faults: readonly string[];
  /** Names of the files that the page asked for. */
  readonly files: readonly string[];
  /** The words at a place of the page. */
  readonly at: (name: string) => Promise<string>;
  /** The number at a place of the page. */
  readonly numberAt: (name: string) => Promise<number>;
  /** Waits until the page's status begins with these words. */
  readonly says: (words: string) => Promise<void>;
  /** Milliseconds of the longest task of the main thread since the last time that it was asked. */
  readonly longestTask: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export async function openSite(chromiumPath: string): Promise<Site> {
  await build({ configFile, logLevel: 'error' });
  const server = await preview({ configFile, logLevel: 'error', preview: { port: 0, host: '127.0.0.1', open: false } });
  const chromium = await launchChromium(chromiumPath);
  return {
    open: (view) => openView(chromium, `${addressOf(server)}#${view}`),
    async close() {
      await chromium.end();
      await server.close();
    },
  };
}

const addressOf = ({ httpServer }: PreviewServer): string => `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}/`;

/** Counts long tasks from before the page's own code on. */
const OBSERVE = `
  globalThis.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
  }).observe({ type: 'longtask' });`;

async function openView({ browser }: Chromium, address: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  const page = await context.newPage();
  const faults: string[] = [];
  const files: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  page.on('pageerror', (error) => void faults.push(error.stack ?? error.message));
  page.on('request', (request) => void files.push(new URL(request.url()).pathname.split('/').at(-1)!));
  await page.addInitScript(OBSERVE);
  await page.goto(address);
  const at = async (name: string): Promise<string> => (await page.textContent(`[data-at="${name}"]`)) ?? '';
  return {
    page,
    faults,
    files,
    at,
    numberAt: async (name) => Number((await at(name)).replaceAll(',', '')),
    says: async (words) => {
      const status = `document.querySelector('[data-at="status"]')?.textContent ?? ''`;
      await page.waitForFunction(`(${status}).startsWith(${JSON.stringify(words)})`, undefined, PATIENCE);
    },
    longestTask: () => page.evaluate('[globalThis.longest, (globalThis.longest = 0)][0]'),
    close: () => context.close(),
  };
}
