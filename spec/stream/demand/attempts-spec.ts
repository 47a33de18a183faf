/** @file Time and further attempts of one item: `timeoutMs` and `retry` (F024). */
import { expect } from 'chai';
import { asyncScheduler, tap } from 'rxjs';
import { runStreamAsync, type AsyncConfig, type Middleware } from '../../../src/index.js';
import { marbles, virtually } from '../../support/marbles.js';
import { failingFor } from '../../support/middleware.js';
import { codeOf, failingFirst, feed, g, numbers, slowly, taking } from '../../support/streamed.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

describe('an item of runStreamAsync', () => {
  expectNothingUncaught();

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
});
