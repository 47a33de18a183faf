/** @file Work on several items at once, with its results in order. */
import { expect } from 'chai';
import { EMPTY, of, Subject, throwError, type Observable } from 'rxjs';
import { inOrder, noLoad } from '../../../src/stream/demand/in-order.js';
import { operatorLaws } from '../../../src/testing.js';
import { marbles } from '../../support/marbles.js';
import { watch } from '../../support/watch.js';

describe('inOrder', () => {
  for (const concurrency of [1, 3])
    describe(`with ${concurrency} at once`, () => {
      const make = () => inOrder((x: number) => of(10 * x), concurrency, noLoad());
      const throwing = (error: unknown) =>
        inOrder((_: number): Observable<number> => throwError(() => error), concurrency, noLoad());
      for (const { title, check } of operatorLaws(make, { feed: (k) => k, throwing })) it(title, check);
    });

  it(
    'begins an item when a place is free, and keeps the order',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const items$ = cold(' abc-------|');
      const subs = '        ^---------!';
      const a$ = cold('     ----(x|)');
      const aSubs = '       ^---!';
      const b$ = cold('      -(y|)');
      const bSubs = '       -^!';
      const c$ = cold('         -----(z|)');
      const cSubs = '       ----^----!';
      const expected = '    ----(xy)-z|';

      const work: Record<string, Observable<string>> = { a: a$, b: b$, c: c$ };
      expectObservable(items$.pipe(inOrder((item) => work[item], 2, noLoad()))).toBe(expected);
      expectSubscriptions(items$.subscriptions).toBe(subs);
      expectSubscriptions(a$.subscriptions).toBe(aSubs);
      expectSubscriptions(b$.subscriptions).toBe(bSubs);
      expectSubscriptions(c$.subscriptions).toBe(cSubs);
    }),
  );

  it('gives all results of an item together, and none for an item without', () => {
    const results: Record<number, Observable<string>> = { 0: of('a', 'b'), 1: EMPTY, 2: of('c') };
    const seen = watch(of(0, 1, 2).pipe(inOrder((k: number) => results[k], 2, noLoad())));
    expect([seen.values, seen.isComplete]).to.deep.equal([['a', 'b', 'c'], true]);
  });

  it('ends with the first failure, and stops all that is at work', () => {
    const [first, second] = [new Subject<number>(), new Subject<number>()];
    const items = new Subject<Subject<number>>();
    const load = noLoad();
    const seen = watch(items.pipe(inOrder((work: Subject<number>) => work, 2, load)));
    items.next(first);
    items.next(second);
    expect([load.running, load.buffered]).to.deep.equal([2, 0]);
    second.error('mine');
    expect([seen.error, first.observed, items.observed]).to.deep.equal(['mine', false, false]);
  });
});
