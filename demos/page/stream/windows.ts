/**
 * @file Samples as frames: each holds the latest samples, one further on, and is made only when there is room for it.
 */
import { defer, filter, map, type MonoTypeOperatorFunction, type Observable } from 'rxjs';
import { tensor, type Tensor } from '../../../src/index.js';
import { SAMPLES, SHOWN } from './analysis.js';
import type { Pull } from './signals.js';

export interface Window {
  /** Float32 [SAMPLES], nobody else's. */
  readonly feed: { readonly samples: Tensor };
  /** The shown samples alone. */
  readonly shown: Float32Array;
  /** When the first, the middle and the last of them were. */
  readonly labels: readonly [string, string, string];
}

/** A window of the latest samples at each tick. The first is full. */
export const windows =
  (ticks$: Observable<unknown>) =>
  (pull: Pull): Observable<Window> =>
    defer(() => {
      const filled = Array.from({ length: SAMPLES }, pull);
      const labels = filled.map(({ label }) => label);
      const values = Float32Array.from(filled, ({ value }) => value);
      const labelAt = (fromEnd: number): string => labels[SAMPLES - 1 - fromEnd];
      return ticks$.pipe(
        map((): Window => {
          const { value, label } = pull();
          values.copyWithin(0, 1);
          values[SAMPLES - 1] = value;
          labels.push(label);
          labels.shift();
          const own = values.slice();
          return {
            feed: { samples: tensor(own) },
            shown: own.subarray(SAMPLES - SHOWN),
            labels: [labelAt(SHOWN - 1), labelAt(SHOWN >> 1), labelAt(0)],
          };
        }),
      );
    });

/** Counts what is under way, so that a source can wait for room instead of losing values. */
export interface Credit {
  /** Passes ticks while there is room. */
  readonly whenRoom: <T>() => MonoTypeOperatorFunction<T>;
  readonly begin: () => void;
  readonly end: () => void;
}

export function credit(most: number): Credit {
  let underWay = 0;
  return {
    whenRoom: () => filter(() => underWay < most),
    begin: () => void underWay++,
    end: () => void underWay--,
  };
}
