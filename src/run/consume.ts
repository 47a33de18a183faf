/**
 * @file `consume`: a callback as the end of a pipe, whose failure is this subscription's error and nobody else's.
 */
import { Observable, type MonoTypeOperatorFunction } from 'rxjs';
import { EinstreamError, fault } from '../errors/index.js';
import { link, passing } from './link.js';
import { serial } from './serial.js';

/**
 * Calls `fn` with each value and passes the value on. What `fn` throws errors this subscription with E_CONSUMER
 * and stops the source; a throw in a plain `subscribe` callback would be reported as uncaught instead, by RxJS's own rule.
 *
 * ```ts
 * of(1).pipe(consume(() => { throw new Error('disk full'); })) // => throws E_CONSUMER
 * ```
 *
 * @throws EinstreamError E_ARGUMENT when `fn` is no function, at the call; E_CONSUMER on the stream
 */
export function consume<T>(fn: (value: T, index: number) => void): MonoTypeOperatorFunction<T> {
  if (typeof fn !== 'function')
    throw fault('E_ARGUMENT', { place: 'consume', rule: 'consume takes a function', actual: typeof fn });
  return (values$) =>
    new Observable((subscriber) => {
      let index = 0;
      // What `fn` pushes into its own source waits until the value has been passed on, or it would overtake it.
      const next = (value: T): void => {
        if (subscriber.closed) return;
        try {
          fn(value, index++);
        } catch (cause) {
          subscriber.error(consumerError(cause));
          return;
        }
        subscriber.next(value);
      };
      link(values$, subscriber, serial({ ...passing(subscriber), next }));
    });
}

const consumerError = (cause: unknown): EinstreamError =>
  cause instanceof EinstreamError && cause.code === 'E_CONSUMER'
    ? cause
    : fault('E_CONSUMER', {
        place: 'consume',
        rule: 'a consumer must not throw',
        actual: cause instanceof Error ? cause.message : String(cause),
        cause,
      });
