/**
 * @file One subscription for all who look at a stream, each of whom sees its latest value first.
 */
import { ReplaySubject, share, type MonoTypeOperatorFunction } from 'rxjs';

export const latest = <T>(): MonoTypeOperatorFunction<T> => share({ connector: () => new ReplaySubject<T>(1) });
