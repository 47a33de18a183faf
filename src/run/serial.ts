/**
 * @file One signal at a time: what arrives while another is being handled waits its turn, terminal signals included.
 */
import type { Observer } from 'rxjs';
import { fifo } from './fifo.js';

/** The observer, called without nesting and in the order of arrival. Its `next` must not throw. */
export function serial<T>(observer: Observer<T>): Observer<T> {
  const waiting = fifo<T>();
  let isBusy = false;
  let end: (() => void) | undefined;
  const finish = (terminal: () => void): void => {
    if (isBusy) end ??= terminal;
    else terminal();
  };
  return {
    next(value) {
      if (isBusy) {
        waiting.push(value);
        return;
      }
      isBusy = true;
      try {
        observer.next(value);
        while (!waiting.isEmpty()) observer.next(waiting.shift() as T);
      } finally {
        isBusy = false;
      }
      end?.();
    },
    error: (error: unknown) => finish(() => observer.error(error)),
    complete: () => finish(() => observer.complete()),
  };
}
