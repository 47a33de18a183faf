/**
 * @file Rolling windows without copies: every window is a view of one buffer, one row further on.
 */
import { defer, filter, map, type OperatorFunction } from 'rxjs';
import { range, slice, wrap, type Tensor } from '../../src/index.js';
import type { Day } from './days.js';

export interface Window {
  /** Of its last day. */
  readonly date: string;
  /** float64 [days, columns]: a view, to be read before the next window comes. */
  readonly prices: Tensor;
}

/** Windows that lie one behind the other in the buffer before its end is moved to its start. */
const AHEAD = 512;

/** Emits a window of the last `size` days, from the day on that fills it. */
export const rolling = (size: number, columns: number): OperatorFunction<Day, Window> => {
  const capacity = size + AHEAD;
  return (days$) =>
    defer(() => {
      const numbers = new Float64Array(capacity * columns);
      const rows = wrap(numbers, { shape: [capacity, columns] });
      let end = 0;
      return days$.pipe(
        map(({ date, prices }) => {
          if (end === capacity) {
            numbers.copyWithin(0, (capacity - size + 1) * columns);
            end = size - 1;
          }
          numbers.set(prices, end * columns);
          end++;
          return { date, prices: slice(rows, range(Math.max(0, end - size), end)) };
        }),
        filter(({ prices }) => prices.shape[0] === size),
      );
    });
};
