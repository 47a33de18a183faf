/** @file A graph on a stream, several items at once: each limit acts (F023, F024). */
import { expect } from 'chai';
import {
  asyncScheduler,
  concatMap,
  finalize,
  lastValueFrom,
  map,
  of,
  Subject,
  take,
  tap,
  timer,
  toArray,
  type Observable,
} from 'rxjs';
import {
  EinstreamError,
  graph,
  input,
  mul,
  named,
  pulled,
  runStreamAsync,
  valueOf,
  type AsyncConfig,
  type AsyncStreamStats,
  type DropPolicy,
  type Middleware,
  type Outputs,
} from '../../../src/index.js';
import { marbles, virtually } from '../../support/marbles.js';
import { failingFor } from '../../support/middleware.js';
import { propertyRuns } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const g = graph({ x: input([]) }, ({ x }) => ({ y: named('y', mul(x, 2)) }));
const feed = (x: number) => ({ x });
const naturals = (count: number) => Array.from({ length: count }, (_, k) => feed(k));
const numbers = map(({ y }: Outputs) => y.toArray() as number);
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

/** Each item takes so many virtual milliseconds; `stopped` hears of work that was given up. */
const taking =
  (ms: (x: number) => number, stopped: (x: number) => void = () => undefined): Middleware =>
  (step, node) =>
    concatMap((frame) => {
      const x = valueOf(frame, node.inputs[0]).toArray() as number;
      let isDone = false;
      return timer(ms(x)).pipe(
        map(() => frame),
        step,
        tap({ complete: () => (isDone = true) }),
        finalize(() => isDone || stopped(x)),
      );
    });
const slowly = (ms: (x: number) => number, config: AsyncConfig = {}): AsyncConfig => ({ ...config, run: { use: [taking(ms)] } });
/** Fails the first `times` times that an item is tried. */
const failingFirst = (times: number): Middleware => failingFor('y', () => times-- > 0);

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

  describe('timeoutMs', () => {
    it('is E_TIMEOUT for an item that takes longer, and stops its work, the others and the source', () => {
      const stopped: number[] = [];
      let closed = 0;
      const endless = {
        *[Symbol.iterator]() {
          try {
            for (let x = 0; ; x++) yield feed(x);
          } finally {
            closed++;
          }
        },
      };
      virtually(({ flush }) => {
        const use = [taking((x) => (x === 2 ? 8 : 3), (x) => stopped.push(x))]; // prettier-ignore
        const seen = watch(runStreamAsync(g, endless, { timeoutMs: 5, maxConcurrent: 3, run: { use } }).pipe(numbers));
        flush();
        expect([seen.values, codeOf(seen.error), closed]).to.deep.equal([[0, 2], 'E_TIMEOUT', 1]);
        expect(seen.error).to.have.property('attempt', 1);
        expect((seen.error as Error).message).to.match(/within 5 ms/);
      });
      expect(stopped.sort()).to.deep.equal([2, 3, 4]);
    });

    it(
      'is absent by default, and lets pass what is in time',
      marbles(({ expectObservable }) => {
        const expected = '50ms (a|)';

        expectObservable(
          runStreamAsync(
            g,
            [feed(1)],
            slowly(() => 50),
          ).pipe(numbers),
        ).toBe(expected, { a: 2 });
        expectObservable(runStreamAsync(g, [feed(1)], slowly(() => 50, { timeoutMs: 51 })).pipe(numbers)).toBe(expected, { a: 2 }); // prettier-ignore
      }),
    );

    it('looks at work that no timer can stop when it ends', () => {
      let clock = 0;
      const scheduler = { now: () => clock, schedule: asyncScheduler.schedule.bind(asyncScheduler) };
      const blocking: Middleware = (step) => (frames$) => frames$.pipe(step, tap(() => (clock += 10))); // prettier-ignore
      const outcome = (timeoutMs: number) =>
        watch(runStreamAsync(g, [feed(1)], { timeoutMs, scheduler, run: { use: [blocking] } }));
      expect([codeOf(outcome(9).error), outcome(10).isComplete]).to.deep.equal(['E_TIMEOUT', true]);
    });
  });

  describe('retry', () => {
    it(
      'waits backoffMs before each further attempt, 100 by default, on the scheduler',
      marbles(({ expectObservable }) => {
        const tried = (times: number, config: AsyncConfig) =>
          runStreamAsync(g, [feed(1)], { ...config, run: { use: [failingFirst(times)] } }).pipe(numbers);
        const values = { a: 2 };

        expectObservable(tried(2, { retry: true, backoffMs: 7 })).toBe('14ms (a|)', values);
        expectObservable(tried(3, { retry: true })).toBe('300ms (a|)', values);
        expectObservable(tried(1, { retry: true, maxRetries: 1, backoffMs: 0 })).toBe('(a|)', values);
      }),
    );

    it('ends with the last error after maxRetries, 3 by default, and at once without retry', () => {
      for (const [config, attempts, ms] of [
        [{}, 1, 0],
        [{ retry: false, maxRetries: 9 }, 1, 0],
        [{ retry: true }, 4, 300],
        [{ retry: true, maxRetries: 1, backoffMs: 5 }, 2, 5],
        [{ retry: true, maxRetries: 0 }, 1, 0],
      ] as const) {
        let tries = 0;
        const use = [failingFor('y', () => ++tries > 0)];
        virtually(({ flush }) => {
          const from = asyncScheduler.now();
          const seen = watch(runStreamAsync(g, [feed(1)], { ...config, run: { use } }));
          flush();
          expect([codeOf(seen.error), tries, asyncScheduler.now() - from]).to.deep.equal(['E_CONSUMER', attempts, ms]);
        });
      }
    });

    it('does not try again what would fail again: a feed that does not fit', () => {
      const seen = watch(runStreamAsync(g, [{ x: [1, 2] }] as never, { retry: true }));
      expect(codeOf(seen.error)).to.equal('E_FEED');
    });

    it('tries again what took too long, and counts the attempts', () => {
      virtually(({ flush }) => {
        let tries = 0;
        const config = slowly(() => (tries++, 8), { timeoutMs: 5, retry: true, maxRetries: 2, backoffMs: 1 });
        const seen = watch(runStreamAsync(g, [feed(1)], config));
        flush();
        expect([codeOf(seen.error), tries]).to.deep.equal(['E_TIMEOUT', 3]);
        expect(seen.error).to.have.property('attempt', 3);
      });
    });
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
