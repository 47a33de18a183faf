/** @file A flow for RxJS: asked when `next` has returned, and left with the subscription. */
import { expect } from 'chai';
import { delay, map, mergeMap, Observable, of, take } from 'rxjs';
import { fromObservable, graph, input, mul, pulled, run, through, toObservable, type Flow } from '../../../src/index.js';
import { scripted } from '../../support/flow-probe.js';
import { reachable } from '../../support/collect.js';
import { marbles } from '../../support/marbles.js';
import { propertyRuns } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const kept = { policy: 'error', size: 9 } as const;

describe('toObservable', () => {
  expectNothingUncaught();

  it(
    'gives each item in its instant, and completes',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(' a--(bc)-d|');
      const subs = '         ^--------!';
      const expected = '     a--(bc)-d|';

      expectObservable(toObservable(fromObservable(source$, kept))).toBe(expected);
      expectSubscriptions(source$.subscriptions).toBe(subs);
    }),
  );

  it(
    'passes an error on, and lets go of the source when unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const failing$ = cold('a-#', undefined, 'mine');
      const subs = '         ^-!';
      const failed = '       a-#';
      const endless$ = cold('ab-c-d');
      const left = '         ^--!';
      const unsubscribed = ' ^--!';
      const until = '        ab-c';

      expectObservable(toObservable(fromObservable(failing$, kept))).toBe(failed, undefined, 'mine');
      expectSubscriptions(failing$.subscriptions).toBe(subs);
      expectObservable(toObservable(fromObservable(endless$, kept)), unsubscribed).toBe(until.slice(0, -1));
      expectSubscriptions(endless$.subscriptions).toBe(left);
    }),
  );

  it(
    'waits as long as the work in its flow takes',
    marbles(({ expectObservable }) => {
      const takes: Record<string, number> = { a: 2, b: 3, c: 1 };
      const expected = '--a--bc|'.replace('bc|', 'b(c|)');

      const flow = through(mergeMap((x: string) => of(x).pipe(delay(takes[x]))), { credits: 1 })(pulled('abc')); // prettier-ignore
      expectObservable(toObservable(flow)).toBe(expected);
    }),
  );

  it('asks for one item at a time, when `next` has returned', () => {
    const { flow, sink, calls } = scripted<number>();
    const during: string[][] = [];
    watch(toObservable(flow).pipe(map(() => during.push([...calls]))));
    sink().next(1);
    sink().next(2);
    expect([during, calls]).to.deep.equal([
      [['grant 1'], ['grant 1', 'grant 1']],
      ['grant 1', 'grant 1', 'grant 1'],
    ]);
  });

  it('passes on what opening a flow throws', () => {
    const error = new Error('mine');
    const flow: Flow<number> = {
      open() {
        throw error;
      },
    };
    expect(watch(toObservable(flow)).error).to.equal(error);
  });

  const TIMES = propertyRuns(4_000, 100_000, 1_000_000);
  it(`leaves nothing behind when it is subscribed to and left ${TIMES.toLocaleString('en')} times (S15)`, function () {
    this.timeout(0);
    const g = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
    const feeds = [{ x: 1 }, { x: 2 }, { x: 3 }];
    const silent$ = new Observable<{ x: number }>();
    const operator = through(run(g), { credits: 2 });
    const once = (): void => {
      watch(toObservable(operator(pulled(feeds))).pipe(take(1)));
      watch(toObservable(operator(fromObservable(silent$, { policy: 'latest' })))).unsubscribe();
    };
    for (let k = 0; k < 1_000; k++) once();
    const growths: number[] = [];
    for (let round = 0; round < 3; round++) {
      const before = reachable();
      for (let k = 0; k < TIMES; k++) once();
      growths.push(reachable().heap - before.heap);
    }
    // What is kept is kept in every round; what the engine learns of the code comes in some.
    const growth = Math.min(...growths) / 1024;
    console.log(`      the heap grew by ${growth.toFixed(1)} KB`);
    // RxJS alone: 63 KB in 100,000. One object kept for each would be 16 bytes and more.
    expect(growth).to.be.lessThan(Math.max(64, (TIMES * 8) / 1024));
  });
});
