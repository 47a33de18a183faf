/**
 * @file The same figures from a page of chromium, where the modes that browsers alone have run.
 */
import type { GpuMode } from '../../../src/gpu.js';
import { bundle } from '../../browser/bundle.js';
import { findChromium, launchChromium } from '../../browser/chromium.js';
import { serve, type Served } from '../../browser/serve.js';
import type { Figures } from './measure.js';

const HTML = '<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="/bench.js"></script>';

/** The clock of an isolated page is finer. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** What `page.ts` says at its end. */
export type Told = { readonly figures: Figures } | { readonly error: string };

/** @throws Error where there is no chromium, or the page fails */
export async function measureInBrowser(modes: readonly GpuMode[], turns: number): Promise<Figures> {
  const path = findChromium();
  if (path === undefined) throw new Error('there is no chromium on the PATH');
  const { script } = await bundle(['spec/bench/gpu/page.ts']);
  const files = new Map<string, Served>([
    ['/', { type: 'text/html', text: HTML }],
    ['/bench.js', { type: 'text/javascript', text: script }],
  ]);
  const server = await serve(files, ISOLATED);
  const chromium = await launchChromium(path);
  try {
    const page = await chromium.browser.newPage();
    const told = new Promise<Told>((resolve) => {
      page.on('pageerror', ({ message }) => resolve({ error: message }));
      page.on('crash', () => resolve({ error: 'the page crashed' }));
      void page.exposeBinding('tell', (_source, news: Told) => resolve(news)).then(() => page.goto(`${server.address}?${new URLSearchParams({ modes: modes.join(), turns: String(turns) }).toString()}`)); // prettier-ignore
    });
    const news = await told;
    if ('error' in news) throw new Error(news.error);
    return news.figures;
  } finally {
    await chromium.end();
    await server.close();
  }
}
