/** @file A graph on a stream, several items at once: each limit acts (F023, F024). */
import { expect } from 'chai';
import { concatMap, lastValueFrom, of, Subject, take, tap, toArray, type Observable } from 'rxjs';
import {
  EinstreamError,
  pulled,
  runStreamAsync,
  type AsyncConfig,
  type AsyncStreamStats,
  type DropPolicy,
  type Middleware,
  type Outputs,
} from '../../../src/index.js';
import { marbles, virtually } from '../../support/marbles.js';
import { propertyRuns } from '../../support/property.js';
import { codeOf, feed, g, naturals, numbers, slowly, taking } from '../../support/streamed.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

describe('runStreamAsync', () => {
  expectNothingUncaught();

  it('gives one output for each feed, in order, of every kind of source', async () => {
    const all = (outputs$: Observable<Outputs>) => lastValueFrom(outputs$.pipe(numbers, toArray()));
    async function* later() {
      yield* naturals(4);
      await Promise.resolve();
    }
    const web = new ReadableStream<{ x: number }>({
      start(controller) {
        naturals(4).forEach((each) => controller.enqueue(each));
        controller.close();
      },
    });
    for (const source of [naturals(4), later(), web, pulled(naturals(4))])
      expect(await all(runStreamAsync(g, source))).to.deep.equal([0, 2, 4, 6]);
    expect(await all(runStreamAsync(g, of(...naturals(4)), { policy: 'error' }))).to.deep.equal([0, 2, 4, 6]);
  });

  it('refuses an Observable without a policy, at the call (S11)', () => {
    expect(() => runStreamAsync(g, of(feed(1))))
      .to.throw(EinstreamError, /must be named/)
      .with.property('code', 'E_DEMAND');
  });

  it('refuses limits that limit nothing, unknown options, lent outputs and what is no source, at the call', () => {
    const wrong: readonly object[] = [
      { maxConcurrent: 0 },
      { maxConcurrent: Infinity },
      { backpressureThreshold: -1 },
      { timeoutMs: 0 },
      { timeoutMs: Infinity },
      { maxRetries: -1 },
      { maxRetries: 1.5 },
      { backoffMs: NaN },
      { retry: 'yes' },
      { concurrency: 3 },
      { run: { outputs: 'borrow' } },
      { run: { level: 'most' } },
    ];
    for (const config of wrong)
      expect(() => runStreamAsync(g, [], config as never), JSON.stringify(config))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    expect(() => runStreamAsync(g, 3 as never)).to.throw(/the source must be one that can wait/);
  });

  describe('maxConcurrent', () => {
    it(
      'is how many are computed at once, 4 by default; outputs keep their order',
      marbles(({ expectObservable }) => {
        const values = { a: 0, b: 2, c: 4, d: 6, e: 8, f: 10 };
        const one = '  ---a---b----c-----d------e-------(f|)';
        const two = '  ---ab---c-d----e--(f|)';
        const four = ' ---abcd---e-(f|)';

        const computed = (config: AsyncConfig) =>
          runStreamAsync(
            g,
            naturals(6),
            slowly((x) => 3 + x, config),
          ).pipe(numbers);
        expectObservable(computed({ maxConcurrent: 1 })).toBe(one, values);
        expectObservable(computed({ maxConcurrent: 2 })).toBe(two, values);
        expectObservable(computed({})).toBe(four, values);
      }),
    );

    it(
      'counts a result that waits for those before it',
      marbles(({ expectObservable }) => {
        const expected = ' ------(ab)c(d|)';

        // b is done at 1 and keeps its place; c and d begin at 6.
        const outputs$ = runStreamAsync(
          g,
          naturals(4),
          slowly((x) => [6, 1, 4, 5][x], { maxConcurrent: 2 }),
        );
        expectObservable(outputs$.pipe(numbers)).toBe(expected, { a: 0, b: 2, c: 4, d: 6 });
      }),
    );
  });

  describe('backpressureThreshold', () => {
    for (const [config, running, buffered] of [
      [{}, 4, 100],
      [{ maxConcurrent: 2, backpressureThreshold: 3 }, 2, 3],
      [{ backpressureThreshold: 0 }, 4, 0],
    ] as const)
      it(`holds an endless source to ${running} running and ${buffered} waiting with ${JSON.stringify(config)}`, () => {
        let [pulls, closed] = [0, 0];
        const endless = {
          *[Symbol.iterator]() {
            try {
              for (;;) yield feed(pulls++);
            } finally {
              closed++;
            }
          },
        };
        virtually(({ flush }) => {
          let read!: () => AsyncStreamStats;
          const outputs$ = runStreamAsync(
            g,
            endless,
            slowly(() => 2, { ...config, stats: (reader) => void (read = reader) }),
          );
          const seen = watch(outputs$.pipe(take(50)));
          expect([pulls, read().running, read().buffered]).to.deep.equal([running + buffered, running, buffered]);
          flush();
          const { peakRunning, peakBuffered, delivered } = read();
          expect([peakRunning, peakBuffered, delivered]).to.deep.equal([running, buffered, 50]);
          expect([seen.values.length, closed]).to.deep.equal([50, 1]);
          expect(pulls).to.be.within(50, 50 + running + buffered);
        });
      });

    const COUNT = propertyRuns(2_000, 40_000, 1_000_000);
    it(`holds an asynchronous source of ${COUNT.toLocaleString('en')} items, counted by the source itself (F023)`, async () => {
      let [pulls, delivered, peak] = [0, 0, 0];
      async function* probe() {
        await Promise.resolve();
        for (; pulls < COUNT;) {
          peak = Math.max(peak, pulls + 1 - delivered);
          yield feed(pulls++);
        }
      }
      let read!: () => AsyncStreamStats;
      const later: Middleware = (step) => (frames$) =>
        frames$.pipe(
          concatMap((frame) => Promise.resolve(frame)),
          step,
        );
      const outputs$ = runStreamAsync(g, probe(), { run: { use: [later] }, stats: (reader) => void (read = reader) });
      await lastValueFrom(outputs$.pipe(tap(() => delivered++)));
      const stats = read();
      expect([delivered, stats.received, stats.delivered]).to.deep.equal([COUNT, COUNT, COUNT]);
      expect(peak).to.be.at.most(104);
      expect(stats.peakRunning).to.be.at.most(4);
      expect(stats.peakBuffered).to.be.at.most(100);
    });
  });

  describe('policy', () => {
    const flooded = (policy: DropPolicy, backpressureThreshold = 2) => {
      const hot = new Subject<{ x: number }>();
      const dropped: unknown[] = [];
      return virtually(({ flush }) => {
        let read!: () => AsyncStreamStats;
        const config = slowly(() => 5, {
          policy,
          backpressureThreshold,
          maxConcurrent: 1,
          onDrop: ({ x }) => void dropped.push(x),
          stats: (reader) => void (read = reader),
        });
        const seen = watch(runStreamAsync(g, hot, config).pipe(numbers));
        for (let x = 0; x < 6; x++) hot.next(feed(x));
        const during = read();
        hot.complete();
        flush();
        return { seen, dropped, during, after: read() };
      });
    };
    const table: readonly (readonly [DropPolicy, readonly number[], readonly number[]])[] = [
      ['dropOldest', [0, 8, 10], [1, 2, 3]],
      ['dropNewest', [0, 2, 4], [3, 4, 5]],
      ['latest', [0, 10], [1, 2, 3, 4]],
    ];
    for (const [policy, outputs, lost] of table)
      it(`'${policy}' drops what finds no room, and counts it (S10)`, () => {
        const { seen, dropped, during, after } = flooded(policy);
        expect([seen.values, dropped, seen.isComplete]).to.deep.equal([outputs, lost, true]);
        for (const { received, delivered, dropped: count, running, buffered } of [during, after])
          expect(received).to.equal(delivered + count + running + buffered);
        expect([during.running, during.buffered]).to.deep.equal([1, policy === 'latest' ? 1 : 2]);
        expect([after.received, after.delivered, after.dropped]).to.deep.equal([6, outputs.length, lost.length]);
      });

    it("'error' fails with E_QUEUE_FULL", () => {
      const { seen } = flooded('error');
      expect([codeOf(seen.error), seen.values]).to.deep.equal(['E_QUEUE_FULL', []]);
    });
  });

  it('makes a throw of `stats` E_CONSUMER of that subscription', () => {
    const stats = (): never => {
      throw new Error('mine');
    };
    expect(codeOf(watch(runStreamAsync(g, naturals(2), { stats })).error)).to.equal('E_CONSUMER');
  });

  it('stops all work and the source when unsubscribed, and each subscription has a run of its own', () => {
    const stopped: number[] = [];
    virtually(({ flush }) => {
      const outputs$ = runStreamAsync(g, naturals(9), { run: { use: [taking(() => 3, (x) => stopped.push(x))] } }); // prettier-ignore
      const [one, other] = [watch(outputs$), watch(outputs$)];
      one.unsubscribe();
      expect(stopped).to.deep.equal([0, 1, 2, 3]);
      flush();
      expect([one.values.length, other.values.length]).to.deep.equal([0, 9]);
    });
  });
});
