/**
 * @file `pulled`: sources that can wait, as flows.
 */
import { isObservable, type SchedulerLike } from 'rxjs';
import { describeValue, fault, type Diagnostic } from '../../errors/index.js';
import { teller } from '../../run/ending.js';
import type { Flow } from './flow.js';
import { outlet } from './outlet.js';
import { patience } from './patience.js';
import { pullAsync, readerOf, type Pullable } from './pull-async.js';
import { pullSync } from './pull-sync.js';

/** How to let go of a source. */
export interface PullOptions {
  /** Milliseconds that a cancelled source may take to end before that is told as E_TEARDOWN; 1,000 by default. */
  readonly graceMs?: number;
  /** What the grace is timed by; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
  /** Hears of a source that threw, or did not end, when it was cancelled; the console does otherwise. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/**
 * A flow of what a source holds that can be pulled: an Iterable, an AsyncIterable, Node's Readable, a ReadableStream. One item is pulled
 * against one credit, one at a time, so a source is never read ahead of demand; its end shows when an item after the last is asked for.
 *
 * Each opening iterates anew; a ReadableStream, a Readable and a generator can be read once. Cancelling calls `return()`, `cancel()` or
 * `destroy()`, and is over at once: a source that goes on, or throws, is told to `onDiagnostic`. An error of the source passes through.
 * A Readable reads ahead of its iterator by itself, as far as its `highWaterMark` says.
 *
 * ```ts
 * function* naturals() { for (let n = 0; ; n++) yield n; }
 * toObservable(pulled(naturals())).pipe(takeWhile((n) => n < 3)) // => [0, 1, 2]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what cannot be pulled, an Observable among it
 */
export function pulled<T>(source: Pullable<T>, options: PullOptions = {}): Flow<T> {
  const tell = teller(options.onDiagnostic);
  const wait = patience(options, tell);
  const reader = readerOf<T>(source);
  if (reader !== undefined) return { open: (sink) => outlet<T>(sink, tell, (out) => pullAsync(reader, out, wait)) };
  if (!isIterable<T>(source)) throw notPullable(source);
  return { open: (sink) => outlet<T>(sink, tell, (out) => pullSync(source, out)) };
}

const isIterable = <T>(source: unknown): source is Iterable<T> =>
  source !== null && source !== undefined && typeof (source as Iterable<T>)[Symbol.iterator] === 'function';

const notPullable = (source: unknown) =>
  fault('E_ARGUMENT', {
    place: 'pulled',
    rule: 'the source must be one that can wait',
    expected: 'an Iterable, an AsyncIterable, a Readable or a ReadableStream',
    actual: isObservable(source) ? 'an Observable' : describeValue(source),
    hint: isObservable(source) ? 'name what happens to items that cannot wait: fromObservable(source, { policy })' : undefined,
  });
