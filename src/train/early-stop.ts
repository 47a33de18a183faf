/**
 * @file Training that ends by itself: when the loss is low enough, or no longer falls.
 */
import { defer, takeWhile, type MonoTypeOperatorFunction } from 'rxjs';
import { describeValue, fault } from '../errors/index.js';

/** When it is enough. At least one of `below` and `patience` is given. */
export interface EarlyStopOptions {
  /** Ends with the first loss below this. */
  readonly below?: number;
  /** Ends with this many losses in a row that were not lower than the lowest before them, an integer ≥ 1. */
  readonly patience?: number;
  /** By how much a loss must be lower to count, a number ≥ 0; 0 by default. */
  readonly minDelta?: number;
}

/**
 * Passes steps on, and completes with the one at which it is enough; its source is let go. What it looks at is `loss`, of the batch or
 * of whatever the program puts there, such as that of other data.
 *
 * ```ts
 * const losses$ = of(3, 2, 2.5, 2.1, 1).pipe(map((loss) => ({ loss })));
 * losses$.pipe(earlyStop({ patience: 2 }), map(({ loss }) => loss)) // => [3, 2, 2.5, 2.1]
 * losses$.pipe(earlyStop({ below: 2.2 }), map(({ loss }) => loss)) // => [3, 2]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options
 */
export function earlyStop<T extends { readonly loss: number }>(options: EarlyStopOptions): MonoTypeOperatorFunction<T> {
  const { below = -Infinity, patience = Infinity, minDelta = 0 } = checked(options);
  return (steps$) =>
    defer(() => {
      let [lowest, waited] = [Infinity, 0];
      const isToGoOn = ({ loss }: T): boolean => {
        const isLower = loss < lowest - minDelta || (lowest === Infinity && loss < Infinity);
        if (isLower) lowest = loss;
        waited = isLower ? 0 : waited + 1;
        return !(loss < below) && waited < patience;
      };
      return steps$.pipe(takeWhile(isToGoOn, true));
    });
}

function checked(options: EarlyStopOptions): EarlyStopOptions {
  const wrong = (rule: string, actual: unknown) =>
    fault('E_ARGUMENT', {
      place: 'earlyStop',
      rule,
      actual: describeValue(actual),
      hint: 'earlyStop({ below: 0.01, patience: 10 })',
    });
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const unknown = Object.keys(options).find((key) => !['below', 'patience', 'minDelta'].includes(key));
  if (unknown !== undefined) throw wrong('an option must be known: below, patience, minDelta', unknown);
  const { below, patience, minDelta = 0 } = options;
  if (below === undefined && patience === undefined) throw wrong('below or patience says when it is enough', undefined);
  if (below !== undefined && !Number.isFinite(below)) throw wrong('below is a finite number', below);
  if (patience !== undefined && !(Number.isSafeInteger(patience) && patience >= 1))
    throw wrong('patience is an integer ≥ 1', patience);
  if (!(Number.isFinite(minDelta) && minDelta >= 0)) throw wrong('minDelta is a number ≥ 0', minDelta);
  return options;
}
