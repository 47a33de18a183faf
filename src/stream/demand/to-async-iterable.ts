/**
 * @file `toAsyncIterable`: a flow for `for await`.
 */
import { fifo } from '../../run/fifo.js';
import type { Flow } from './flow.js';
import { inlet, openInto } from './inlet.js';

interface Waiter<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const DONE = { done: true, value: undefined } as const;

/**
 * An AsyncIterable of a flow: each `next()` asks for one item, and nothing is asked for before. Leaving the loop cancels.
 * Each iterator opens the flow anew, at its first `next()`. An error rejects the `next()` that it reaches first; all after it are done.
 *
 * ```ts
 * const seen: number[] = [];
 * for await (const x of toAsyncIterable(pulled([1, 2, 3]))) { seen.push(x); if (x === 2) break; }
 * seen // => [1, 2]
 * ```
 */
export const toAsyncIterable = <T>(flow: Flow<T>): AsyncIterable<T> => ({ [Symbol.asyncIterator]: () => iterate(flow) });

function iterate<T>(flow: Flow<T>): AsyncIterableIterator<T> {
  const waiting = fifo<Waiter<T>>();
  let isOpened = false;
  /** What the next question is answered with once the flow has ended. */
  let end: ((waiter: Waiter<T>) => void) | undefined;
  const finish = (first: (waiter: Waiter<T>) => void): void => {
    if (end !== undefined) return;
    const done = (waiter: Waiter<T>): void => waiter.resolve(DONE);
    end = (waiter) => {
      end = done;
      first(waiter);
    };
    for (let waiter = waiting.shift(); waiter !== undefined; waiter = waiting.shift()) end(waiter);
  };
  const from = inlet<T>({
    next: (value) => waiting.shift()!.resolve({ done: false, value }),
    error: (error) => finish(({ reject }) => reject(error)),
    complete: () => finish(({ resolve }) => resolve(DONE)),
  });
  const close = (): void => {
    from.cancel();
    end = undefined;
    finish(({ resolve }) => resolve(DONE));
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () =>
      new Promise<IteratorResult<T, undefined>>((resolve, reject) => {
        if (end !== undefined) return end({ resolve, reject });
        waiting.push({ resolve, reject });
        from.grant(1);
        if (isOpened) return;
        isOpened = true;
        openInto(flow, from);
      }),
    return(value?: unknown) {
      close();
      return Promise.resolve({ done: true, value } as IteratorReturnResult<undefined>);
    },
    throw(error?: unknown) {
      close();
      return Promise.reject<IteratorResult<T>>(error);
    },
  };
}
