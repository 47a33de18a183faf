/** @file `pool.run` as an operator: order, bounds, errors and cancelling, on marbles; the laws of operators, and the rules of streams. */
import { expect } from 'chai';
import { asyncScheduler, map, pipe, Subject } from 'rxjs';
import { graph, input, mul, type PoolOptions } from '../../../src/index.js';
import { operatorLaws } from '../../../src/testing.js';
import { marbles, virtually } from '../../support/marbles.js';
import { expectBalanced } from '../../support/poolLedger.js';
import { scriptedPool, type Script } from '../../support/scriptedWorkers.js';
import { verifyOperator } from '../../support/tck.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
const read = map(({ y }: { readonly y: { toArray(): unknown } }) => y.toArray());
type Feed = { readonly x: number };
const feed = (x: number): Feed => ({ x });

/** Inside `marbles`, where time is virtual: a run of feed `x` takes `ms(x)`. */
const inTime = (ms: (x: number) => number, options: PoolOptions = {}, script: Script = {}) =>
  scriptedPool(
    { act: ({ feeds }) => ({ ms: ms(feeds['x'].toArray() as number), tileMs: 1 }), ...script },
    { scheduler: asyncScheduler, clock: () => asyncScheduler.now(), ...options },
  ).pool;

describe('pool.run', () => {
  expectNothingUncaught();

  it(
    'computes several feeds at once, and lets their outputs leave in the order of the feeds',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const pool = inTime((x) => (x === 1 ? 5 : 1));
      const feeds$ = cold('abc|        ', { a: feed(1), b: feed(2), c: feed(3) });
      const subs = '       ^--!         ';
      const expected = '   -----(abc|)';

      expectObservable(feeds$.pipe(pool.run(doubled), read)).toBe(expected, { a: 2, b: 4, c: 6 });
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'keeps at most `concurrency` feeds between coming and leaving',
    marbles(({ cold, expectObservable }) => {
      const pool = inTime(() => 2);
      const feeds$ = cold('(abc|)', { a: feed(1), b: feed(2), c: feed(3) });
      const expected = '   --a-b-(c|)';

      expectObservable(feeds$.pipe(pool.run(doubled, { concurrency: 1 }), read)).toBe(expected, { a: 2, b: 4, c: 6 });
    }),
  );

  it(
    'ends with E_QUEUE_FULL where the source does not wait, after the outputs before it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const pool = inTime(() => 4, { maxQueue: 1, workers: 1 });
      const feeds$ = hot(' abc-d', { a: feed(1), b: feed(2), c: feed(3), d: feed(4) });
      const subs = '       ^-!';
      const expected = '   ----a---(b#)';

      expectObservable(feeds$.pipe(pool.run(doubled, { concurrency: 1 }), read)).toBe(
        expected,
        { a: 2, b: 4 },
        { code: 'E_QUEUE_FULL', nodeId: undefined },
      );
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'ends with the error of a feed when those before it have left, and leaves the source at once',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const pool = inTime((x) => (x === 1 ? 6 : 1));
      const feeds$ = hot(' abc', { a: feed(1), b: { wrong: 1 } as never, c: feed(3) });
      const subs = '       ^!';
      const expected = '   ------(a#)';

      expectObservable(feeds$.pipe(pool.run(doubled), read)).toBe(expected, { a: 2 }, { code: 'E_FEED', nodeId: 0 });
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'passes an error of the source on after the outputs of the feeds before it',
    marbles(({ cold, expectObservable }) => {
      const pool = inTime(() => 5);
      expectObservable(cold('ab#', { a: feed(1), b: feed(2) }).pipe(pool.run(doubled), read)).toBe('-----a(b#)', { a: 2, b: 4 });
    }),
  );

  it(
    'says nothing after unsubscribing; what waited never starts, what ran is stopped',
    marbles(({ hot, expectObservable, expectSubscriptions, flush }) => {
      let started = 0;
      const pool = inTime(() => 100, { workers: 1 }, { act: () => (started++, { ms: 100, tileMs: 1 }) });
      const feeds$ = hot(' abc', { a: feed(1), b: feed(2), c: feed(3) });
      const unsub = '      ----!';
      const expected = '   ------';

      expectObservable(feeds$.pipe(pool.run(doubled), read), unsub).toBe(expected);
      expectSubscriptions(feeds$.subscriptions).toBe('^---!');
      flush();
      expect(started).to.equal(1);
      expect(pool.stats()).to.include({ cancelled: 3, inFlight: 0, queued: 0, queuedBytes: 0, replaced: 0 });
      expectBalanced(pool);
    }),
  );

  it('gives room back that waiting feeds held, whatever ends the stream', () =>
    virtually(({ flush }) => {
      const pool = inTime(() => 10, { workers: 1, maxQueue: 3 });
      const source = new Subject<Feed>();
      const seen = watch(source.pipe(pool.run(doubled, { concurrency: 1 })));
      [1, 2, 3, 4].forEach((x) => source.next(feed(x)));
      expect(pool.stats()).to.include({ queued: 3, queuedBytes: 12 });
      seen.unsubscribe();
      expect(pool.stats()).to.include({ queued: 0, queuedBytes: 0 });
      flush();
    }));

  it('shares one room among all who wait: streams and single requests', () =>
    virtually(({ flush }) => {
      const pool = inTime(() => 10, { workers: 1, maxQueue: 2 });
      const source = new Subject<Feed>();
      watch(source.pipe(pool.run(doubled, { concurrency: 1 })));
      [1, 2, 3].forEach((x) => source.next(feed(x)));
      pool.evaluate(doubled, feed(9)).catch(() => undefined);
      expect(pool.stats().refused).to.equal(1);
      flush();
    }));

  describe('keeps the laws of operators', () => {
    const laws: Readonly<Record<string, () => ReturnType<typeof operatorLaws>>> = {
      'answered at once': () => operatorLaws(() => pipe(scriptedPool().pool.run(doubled), read), { feed }),
      'answered at once, one by one': () =>
        operatorLaws(() => pipe(scriptedPool().pool.run(doubled, { concurrency: 1 }), read), { feed }),
      'answered in time': () =>
        operatorLaws(() => pipe(inTime((x) => 1 + (x % 3)).run(doubled), read), {
          feed,
          inTime: (check) => virtually(({ flush }) => check(flush)),
        }),
    };
    for (const [how, make] of Object.entries(laws))
      describe(how, () => {
        for (const { title, check } of make()) it(title, check);
      });
  });

  describe('keeps the rules of Reactive Streams', () => {
    const kinds: Readonly<Record<string, () => ReturnType<typeof verifyOperator<Feed>>>> = {
      'with workers that answer at once': () =>
        verifyOperator<Feed>(() => scriptedPool().pool.run(doubled), {
          feed,
          failingAt: (bad) => (feeds$) => {
            const { pool } = scriptedPool({ act: ({ feeds }) => ({ how: feeds['x'].toArray() === bad ? failed : 'answer' }) });
            return feeds$.pipe(pool.run(doubled as never));
          },
        }),
    };
    let passed = 0;
    for (const [kind, make] of Object.entries(kinds))
      for (const { rules, title, check } of make())
        it(`${kind}: RS ${rules}: ${title}`, async () => {
          await check();
          passed++;
        });
    after(() => console.log(`    pool.run: ${passed} rules passed`));
  });
});

/** A reply that tells of a failure. */
const failed = (reply: object): unknown => ({
  ...reply,
  kind: 'failed',
  error: {
    code: 'E_KERNEL',
    diagnostic: { severity: 'error', code: 'E003', message: 'bad', context: [], suggestions: [], related: [] },
  },
});
