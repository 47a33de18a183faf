/** @file `live`: recomputes only what changed, never mixes old and new (B10). Kernel runs are counted. */
import { expect } from 'chai';
import { BehaviorSubject, concat, EMPTY, NEVER, of, queueScheduler, range, Subject, take, map, throwError, toArray } from 'rxjs';
import { einsum, EinstreamError, graph, input, live, mul, param, tensor } from '../../src/index.js';
import { marbles, plain, virtually } from '../support/marbles.js';

const product = graph({ x: input([2]), w: input([2]) }, ({ x, w }) => ({ y: mul(x, w) }));
const x = { a: [1, 2], b: [3, 4], c: [5, 6] };
const w = { p: [1, 1], q: [10, 10] };
const y = (...elements: number[]) => ({ y: tensor(elements) });

describe('live', () => {
  it(
    'starts when every source has emitted, then answers each change',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const x$ = cold('     a--b----|', x);
      const xs = '          ^-------!';
      const w$ = cold('     -p----q|', w);
      const ws = '          ^------!';
      const expected = '    -k-l--m-|';

      expectObservable(live(product, { x: x$, w: w$ })).toBe(expected, { k: y(1, 2), l: y(3, 4), m: y(30, 40) });
      expectSubscriptions(x$.subscriptions).toBe(xs);
      expectSubscriptions(w$.subscriptions).toBe(ws);
    }),
  );

  it(
    'gives one output for all changes of one moment',
    marbles(({ cold, expectObservable }) => {
      const x$ = cold('     a--(bc)-|', x);
      const w$ = cold('     p--q---|', w);
      const expected = '    k--m----|';

      expectObservable(live(product, { x: x$, w: w$ })).toBe(expected, { k: y(1, 2), m: y(50, 60) });
    }),
  );

  it(
    'answers each change at once with the queue scheduler',
    marbles(({ cold, expectObservable }) => {
      const x$ = cold('     a--(bc)-|', x);
      const w$ = cold('     p--q---|', w);
      const expected = '    k--(lmn)|';

      expectObservable(live(product, { x: x$, w: w$ }, { scheduler: queueScheduler })).toBe(expected, {
        k: y(1, 2),
        l: y(3, 4),
        m: y(5, 6),
        n: y(50, 60),
      });
    }),
  );

  it(
    'says nothing while a source is silent, and ends when that can never change',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const x$ = cold('     a-b---', x);
      const xs = '          ^--!';
      const w$ = cold<number[]>('---|');

      expectObservable(live(product, { x: x$, w: w$ })).toBe('---|');
      expectObservable(live(product, { x: NEVER, w: of([1, 1]) })).toBe('----');
      expectSubscriptions(x$.subscriptions).toBe(xs);
    }),
  );

  it(
    'passes the first error on as it is, and lets go of all sources',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const x$ = cold('     a-#', x, 'mine');
      const w$ = cold('     p-----', w);
      const ws = '          ^-!';

      expectObservable(live(product, { x: x$, w: w$ })).toBe('k-#', { k: y(1, 2) }, 'mine');
      expectSubscriptions(w$.subscriptions).toBe(ws);
    }),
  );

  it(
    'errors with E_FEED for a value that does not fit',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const x$ = cold('     a-z---', { ...x, z: [[1]] as never });
      const xs = '          ^-!';

      expectObservable(live(product, { x: x$, w: concat(of(w.p), NEVER) })).toBe(
        'k-#',
        { k: y(1, 2) },
        { code: 'E_FEED', nodeId: 0 },
      );
      expectSubscriptions(x$.subscriptions).toBe(xs);
    }),
  );

  it(
    'drops what is not computed yet when unsubscribed',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const x$ = hot('      a--b--c-', x);
      const w$ = hot('      p-------', w);
      const subs = '        ^---!';

      expectObservable(live(product, { x: x$, w: w$ }), subs).toBe('k--l-', { k: y(1, 2), l: y(3, 4) });
      expectSubscriptions(x$.subscriptions).toBe(subs);
      expectSubscriptions(w$.subscriptions).toBe(subs);
    }),
  );

  it('stops an endless source that does not wait', () => {
    let pulled = 0;
    const endless$ = range(0, 1e9).pipe(map((k) => (pulled++, [k, k])));
    const seen: unknown[] = [];
    live(product, { x: of([1, 1]), w: endless$ }, { scheduler: queueScheduler })
      .pipe(take(2))
      .subscribe((out) => seen.push(plain(out)));
    expect(seen).to.have.length(2);
    expect(pulled).to.equal(2);
  });

  it('keeps order when its consumer changes a source', () => {
    const [x$, w$] = [new Subject<number[]>(), new BehaviorSubject([1, 1])];
    const seen: unknown[] = [];
    live(product, { x: x$, w: w$ }, { scheduler: queueScheduler }).subscribe(({ y: out }) => {
      const [first] = out.toArray() as number[];
      if (first < 5) x$.next([first + 1, 0]);
      seen.push(first);
    });
    x$.next([1, 0]);
    expect(seen).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('throws at the call for an input without a source, and for options of run', () => {
    expect(() => live(product, { x: of([1, 2]) } as never)).to.throw(EinstreamError, /"w"|w:/);
    expect(() => live(product, { x: of([1, 2]), w: 3 } as never)).to.throw(EinstreamError, /Observable/);
    expect(() => live(product, { x: of([1, 2]), w: of([1, 2]) }, { use: [] } as never)).to.throw(EinstreamError, /use/);
  });

  it('answers once and completes for a graph whose sources are all given already', () => {
    const seen: unknown[] = [];
    virtually(({ flush }) => {
      live(product, { x: of([1, 2]), w: of([3, 4]) })
        .pipe(map(plain), toArray())
        .subscribe((all) => seen.push(...all));
      live(
        graph({ m: param(tensor([[1, 2]])) }, ({ m }) => ({ y: einsum('ij->i', m) })),
        {},
      )
        .pipe(map(plain))
        .subscribe((out) => seen.push(out));
      live(product, { x: EMPTY, w: throwError(() => 'late') }).subscribe({ complete: () => seen.push('complete') });
      flush();
    });
    expect(seen).to.deep.equal([plain(y(3, 8)), plain(y(3)), 'complete'].map((each, k, all) => [all[2], all[0], all[1]][k]));
  });
});
