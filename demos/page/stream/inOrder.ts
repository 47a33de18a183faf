/**
 * @file Puts what comes from several sources back into the order in which it was numbered.
 */
import { defer, mergeMap, type MonoTypeOperatorFunction } from 'rxjs';

/**
 * Emits values in the order of their numbers, which begin with 0 and leave none out. Holds a value until those before it came.
 *
 * ```ts
 * of(1, 0, 2).pipe(inOrder((number) => number)) // => [0, 1, 2]
 * ```
 */
export const inOrder =
  <T>(numberOf: (value: T) => number): MonoTypeOperatorFunction<T> =>
  (values$) =>
    defer(() => {
      const held = new Map<number, T>();
      let next = 0;
      return values$.pipe(
        mergeMap((value) => {
          held.set(numberOf(value), value);
          const ready: T[] = [];
          for (; held.has(next); next++) {
            ready.push(held.get(next)!);
            held.delete(next);
          }
          return ready;
        }),
      );
    });
