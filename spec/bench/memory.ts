/**
 * @file What a frame allocates, in a process of its own: a new space so large that nothing is collected while it counts.
 *
 * Prints one line of JSON. Started by `engine.ts` with `--expose-gc --max-semi-space-size=…`.
 */
import { Subject } from 'rxjs';
import { run, type RunOptions } from '../../src/index.js';
import { tinyFeeds, tinyGraph } from './workloads.js';

const FRAMES = 1e4;
const MANY = 1e6;

const used = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

function measure(options: RunOptions): { readonly bytesPerFrame: number; readonly growth: number } {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('start with --expose-gc');
  const feeds$ = new Subject<ReturnType<typeof tinyFeeds>>();
  const feeds = tinyFeeds();
  let count = 0;
  feeds$.pipe(run(tinyGraph(), options)).subscribe(() => count++);
  const push = (frames: number): void => {
    for (let i = 0; i < frames; i++) feeds$.next(feeds);
  };
  push(5 * FRAMES);
  collect();
  const before = used();
  push(FRAMES);
  const bytesPerFrame = (used() - before) / FRAMES;
  collect();
  const start = used();
  push(MANY);
  collect();
  const growth = used() - start;
  if (count !== 6 * FRAMES + MANY) throw new Error('frames were lost');
  return { bytesPerFrame, growth };
}

const results = Object.fromEntries((['copy', 'borrow'] as const).map((outputs) => [outputs, measure({ outputs })]));
console.log(JSON.stringify(results));
