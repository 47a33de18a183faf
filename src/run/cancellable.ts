/**
 * @file A promise that can be cancelled, by itself and by a signal.
 */
import { fault } from '../errors/index.js';
import { onAbort } from './signals.js';

/** A promise with a handle: `cancel` rejects it with the reason and stops the work; after the end it does nothing. */
export type Cancellable<T> = Promise<T> & {
  /** @param reason with which the promise rejects; E_ABORT by default */
  readonly cancel: (reason?: unknown) => void;
};

/** Begins something, and gives what stops it. `done` or `fail` is called once at most. */
export type Begin<T> = (done: (value: T) => void, fail: (error: unknown) => void) => (reason: unknown) => void;

/** The work never begins where the signal is aborted already. The signal's reason is passed through, the same object. */
export function cancellable<T>(begin: Begin<T>, signal?: AbortSignal): Cancellable<T> {
  let stop: ((reason: unknown) => void) | undefined;
  let forget: (() => void) | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const done = (value: T): void => {
      forget?.();
      resolve(value);
    };
    const fail = (error: unknown): void => {
      forget?.();
      reject(error);
    };
    if (signal !== undefined) forget = onAbort(signal, () => stop?.(signal.reason));
    stop = begin(done, fail);
  });
  const cancel = (reason: unknown = byHand()): void => {
    // Whoever cancels need not listen.
    promise.catch(() => undefined);
    stop?.(reason);
  };
  return Object.assign(promise, { cancel });
}

const byHand = () => fault('E_ABORT', { place: 'cancel', rule: 'work that was cancelled has no answer' });

/** What comes of it, with the same handle. */
export function mapped<T, R>(promise: Cancellable<T>, change: (value: T) => R): Cancellable<R> {
  const result = promise.then(change);
  const cancel = (reason?: unknown): void => {
    result.catch(() => undefined);
    promise.cancel(reason);
  };
  return Object.assign(result, { cancel });
}
