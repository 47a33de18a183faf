/**
 * @file Answers that may come at once or later. What comes at once stays synchronous.
 */
import { defer, from, of, type Observable } from 'rxjs';
import { describeValue, EinstreamError, fault } from '../../errors/index.js';

/** A value, or a promise of one. */
export type Eventually<T> = T | PromiseLike<T>;

export const isLater = <T>(value: Eventually<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** One value, from a call made at each subscription. */
export const eventually = <T>(call: () => Eventually<T>): Observable<T> =>
  defer(() => {
    const value = call();
    return isLater(value) ? from(value) : of(value);
  });

/** Our own errors as they are; what a callback of the user's threw as E_CONSUMER. */
export const consumerError = (place: string, cause: unknown): EinstreamError =>
  cause instanceof EinstreamError
    ? cause
    : fault('E_CONSUMER', { place, rule: 'a callback must not throw', actual: describeValue(cause), cause });
