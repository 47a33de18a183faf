/**
 * @file A batch that fails is halved until the items that fail stand alone.
 */
import { catchError, concatMap, defer, from, map, of, reduce, type Observable, type ObservableInput } from 'rxjs';
import { fault } from '../errors/index.js';

/** What became of one item. */
export type Settled<T> =
  { readonly status: 'fulfilled'; readonly value: T } | { readonly status: 'rejected'; readonly reason: unknown };

/** How much a batch may cost. */
export interface BisectingOptions {
  /** Runs beyond the first that one batch may cost; as many as it takes by default. What is left when they are spent fails. */
  readonly maxRuns?: number;
}

/**
 * `work` on a batch, item by item settled: where a batch fails, each half is tried by itself, down to single items. One
 * poisonous item among n costs at most 2·log₂ n runs more, and no other item fails for it.
 *
 * ```ts
 * const roots = bisecting<number, number>((xs) => { if (xs.includes(-1)) throw new Error('negative'); return of(xs.map(Math.sqrt)); });
 * roots([4, -1, 9]).pipe(map((all) => all.map(({ status }) => status))) // => [['fulfilled', 'rejected', 'fulfilled']]
 * ```
 *
 * @param work gives one result for each item, in order, in one emission
 * @returns a function from a batch to one list of results, in the order of the items; it never fails
 * @throws EinstreamError E_ARGUMENT when `maxRuns` is negative or no integer, at the call
 */
export function bisecting<A, B>(
  work: (items: readonly A[]) => ObservableInput<readonly B[]>,
  { maxRuns = Infinity }: BisectingOptions = {},
): (items: readonly A[]) => Observable<readonly Settled<B>[]> {
  if (!(maxRuns >= 0) || !(Number.isInteger(maxRuns) || maxRuns === Infinity))
    throw fault('E_ARGUMENT', { place: 'maxRuns', rule: 'it is an integer of at least 0', actual: String(maxRuns) });
  return (items) =>
    defer(() => {
      let left = maxRuns;
      const settle = (part: readonly A[]): Observable<readonly Settled<B>[]> =>
        defer(() => from(work(part))).pipe(
          map((results) => fulfilled(part, results)),
          catchError((reason: unknown) => {
            const halves = part.length > 1 ? halvesOf(part) : [];
            if (halves.length === 0 || left < halves.length) return of(part.map(() => ({ status: 'rejected', reason }) as const));
            left -= halves.length;
            return from(halves).pipe(
              concatMap(settle),
              reduce<readonly Settled<B>[], readonly Settled<B>[]>((all, some) => [...all, ...some], []),
            );
          }),
        );
      return items.length === 0 ? of([]) : settle(items);
    });
}

const halvesOf = <T>(items: readonly T[]): readonly (readonly T[])[] => {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
};

/** A wrong number of results says nothing about which item each belongs to: nobody gets a neighbour's. */
function fulfilled<A, B>(items: readonly A[], results: readonly B[]): readonly Settled<B>[] {
  if (Array.isArray(results) && results.length === items.length)
    return results.map((value: B) => ({ status: 'fulfilled', value }));
  throw fault('E_KERNEL', {
    place: 'bisecting',
    rule: 'a batch has one result for each item',
    expected: String(items.length),
    actual: Array.isArray(results) ? String(results.length) : typeof results,
  });
}
