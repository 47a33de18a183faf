/** @file Hot sources come with a policy that has a name, and every item is accounted for (S10, S11, F023). */
import { expect } from 'chai';
import fc from 'fast-check';
import { asyncScheduler, NEVER, Observable, of, range, Subject, take, throwError } from 'rxjs';
import {
  acknowledged,
  EinstreamError,
  fromObservable,
  toObservable,
  type Acknowledged,
  type DropPolicy,
  type DropStats,
  type HotOptions,
} from '../../../src/index.js';
import { probed } from '../../support/flow-probe.js';
import { marbles } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

/** A hot source behind a policy, and its probe. */
function opened(options: HotOptions<number>) {
  const hot = new Subject<number>();
  let read!: () => DropStats;
  const dropped: number[] = [];
  const probe = probed(
    fromObservable(hot, { ...options, onDrop: (item) => dropped.push(item), stats: (reader) => void (read = reader) }),
  );
  return { hot, probe, dropped, read: () => read() };
}
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

describe('fromObservable', () => {
  expectNothingUncaught();

  it('refuses a source without a policy when the flow is made: there is no default buffer (S11)', () => {
    for (const options of [undefined, {}, { size: 3 }])
      expect(() => fromObservable(of(1), options as never))
        .to.throw(EinstreamError, /must be named; expected \{ policy: 'error' \}, .*pulled\(iterable\)/)
        .with.property('code', 'E_DEMAND');
  });

  it('refuses policies and sizes that there are not', () => {
    const wrong: readonly object[] = [
      { policy: 'block', size: 1 },
      { policy: 'error' },
      { policy: 'dropOldest', size: -1 },
      { policy: 'dropNewest', size: 1.5 },
      { policy: 'latest', size: 2 },
      { policy: 'error', size: 1, bytes: 0 },
      { policy: 'error', size: 1, sizeOf: 3 },
      { policy: 'error', size: 1, onDrop: 'log' },
    ];
    for (const options of wrong)
      expect(() => fromObservable(of(1), options as never), JSON.stringify(options))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
  });

  const table: readonly (readonly [HotOptions<number>, readonly number[], readonly number[]])[] = [
    [{ policy: 'dropOldest', size: 2 }, [1, 5, 6], [2, 3, 4]],
    [{ policy: 'dropNewest', size: 2 }, [1, 2, 3], [4, 5, 6]],
    [{ policy: 'latest' }, [1, 6], [2, 3, 4, 5]],
    [{ policy: 'latest', size: 1 }, [1, 6], [2, 3, 4, 5]],
    [{ policy: 'dropOldest', size: 0 }, [1], [2, 3, 4, 5, 6]],
    [{ policy: 'dropNewest', size: 0 }, [1], [2, 3, 4, 5, 6]],
    [{ policy: 'error', size: Infinity }, [1, 2, 3, 4, 5, 6], []],
  ];
  for (const [options, delivered, dropped] of table)
    it(`of six items, one of them asked for, ${JSON.stringify(options)} delivers ${delivered.join()}`, () => {
      const { hot, probe, dropped: seen, read } = opened(options);
      probe.edge().grant(1);
      for (let k = 1; k <= 6; k++) hot.next(k);
      hot.complete();
      expect(probe.log).to.deep.equal(delivered.length > 1 ? ['open', 'next'] : ['open', 'next', 'complete']);
      probe.edge().grant(10);
      expect([probe.values, seen, probe.log.at(-1)]).to.deep.equal([delivered, dropped, 'complete']);
      const { policy, received, waiting } = read();
      expect({ policy, received, waiting }).to.deep.equal({ policy: options.policy, received: 6, waiting: 0 });
    });

  it("with 'error' ends with E_QUEUE_FULL at once, names the numbers, and lets its source go", () => {
    const { hot, probe, read } = opened({ policy: 'error', size: 2 });
    for (let k = 1; k <= 3; k++) hot.next(k);
    expect([probe.log, codeOf(probe.error()), hot.observed]).to.deep.equal([['open', 'error'], 'E_QUEUE_FULL', false]);
    expect((probe.error() as Error).message).to.match(/expected at most 2 items, got one more than 2/);
    expect(read()).to.deep.equal({ policy: 'error', received: 3, delivered: 0, dropped: 3, waiting: 0, peakWaiting: 2 });
  });

  it('bounds what waits in bytes, too; an item that is larger than the bound alone finds no room', () => {
    const sized = { size: 10, bytes: 10, sizeOf: (item: number) => item };
    const { hot, probe, dropped } = opened({ policy: 'dropOldest', ...sized });
    for (const item of [4, 4, 4, 11, 9, 1]) hot.next(item);
    expect(dropped).to.deep.equal([4, 4, 4, 11]);
    probe.edge().grant(9);
    expect(probe.values).to.deep.equal([9, 1]);
    const full = opened({ policy: 'error', ...sized });
    full.hot.next(9);
    full.hot.next(2);
    expect((full.probe.error() as Error).message).to.match(/10 items and 10 bytes, got one more than 1, which hold 9 bytes/);
  });

  it('accounts for every item, whatever the policy and the demand (S10): received = delivered + dropped + waiting', () => {
    const policies: readonly DropPolicy[] = ['dropOldest', 'dropNewest', 'latest', 'error'];
    fc.assert(
      fc.property(
        fc.constantFrom(...policies),
        fc.integer({ min: 0, max: 5 }),
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 })), { maxLength: 60 }),
        (policy, size, moves) => {
          const { hot, probe, dropped, read } = opened({ policy, size: policy === 'latest' ? 1 : size });
          let pushed = 0;
          for (const grant of moves) {
            if (grant > 0) probe.edge().grant(grant);
            else if (hot.observed) hot.next(pushed++);
            const { received, delivered, dropped: count, waiting } = read();
            expect(received).to.equal(pushed);
            expect(delivered + count + waiting).to.equal(received);
            expect(delivered).to.equal(probe.values.length);
            expect(waiting).to.be.at.most(Math.max(1, size));
          }
          const all = [...probe.values, ...dropped];
          expect(new Set(all).size).to.equal(all.length);
          expect([...probe.values].sort((x, y) => x - y)).to.deep.equal(probe.values);
        },
      ),
      { numRuns: propertyRuns(200, 5_000, 50_000), seed: propertySeed() },
    );
  });

  it('counts items that waited as dropped when the sink cancels', () => {
    const { hot, probe, read } = opened({ policy: 'dropOldest', size: 3 });
    for (let k = 0; k < 5; k++) hot.next(k);
    probe.edge().cancel();
    expect([hot.observed, read()]).to.deep.equal([
      false,
      { policy: 'dropOldest', received: 5, delivered: 0, dropped: 5, waiting: 0, peakWaiting: 3 },
    ]);
  });

  it('keeps pace with a source that does not wait while its consumer does not, either, and stops it', () => {
    const seen = watch(toObservable(fromObservable(range(0, 1e9), { policy: 'error', size: 0 })).pipe(take(3)));
    expect(seen.values).to.deep.equal([0, 1, 2]);
  });

  it('delivers what waits before an error of the source, which is the same object', () => {
    const error = new Error('mine');
    const { hot, probe } = opened({ policy: 'error', size: 5 });
    hot.next(1);
    hot.error(error);
    expect(probe.log).to.deep.equal(['open']);
    probe.edge().grant(1);
    expect([probe.log, probe.error()]).to.deep.equal([['open', 'next', 'error'], error]);
    const cold = probed(
      fromObservable(
        throwError(() => error),
        { policy: 'latest' },
      ),
    );
    expect([cold.log, cold.error()]).to.deep.equal([['open', 'error'], error]);
  });

  it('makes a throw of its callbacks E_CONSUMER of its edge', () => {
    const boom = (): never => {
      throw new Error('mine');
    };
    const bad: readonly Partial<HotOptions<number>>[] = [
      { onDrop: boom },
      { bytes: 1, sizeOf: boom },
      { bytes: 1, sizeOf: () => NaN },
    ];
    for (const each of bad) {
      const hot = new Subject<number>();
      const probe = probed(fromObservable(hot, { policy: 'dropNewest', size: 0, ...each }));
      hot.next(1);
      expect([probe.log, codeOf(probe.error()), hot.observed]).to.deep.equal([['open', 'error'], 'E_CONSUMER', false]);
    }
    const { log, error } = probed(fromObservable(NEVER, { policy: 'latest', stats: boom }));
    expect([log, codeOf(error())]).to.deep.equal([['open', 'error'], 'E_CONSUMER']);
  });

  it('tells of a source whose teardown throws when the sink cancels', () => {
    const heard: string[] = [];
    const source$ = new Observable<number>(() => () => {
      throw new Error('stuck');
    });
    const { edge } = probed(fromObservable(source$, { policy: 'latest', onDiagnostic: ({ code }) => void heard.push(code) }));
    expect(() => edge().cancel()).not.to.throw();
    expect(heard).to.deep.equal(['E_TEARDOWN']);
  });

  it(
    'samples a fast source by the pace of its consumer, in virtual time',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('abcdefghij|');
      const subs = '       ^---------!';
      const expected = '   a---e---i---(j|)';

      const slow$ = new Observable<string>((subscriber) =>
        acknowledged(fromObservable(source$, { policy: 'latest' }), { credits: 1 }).subscribe({
          next({ value, ack }: Acknowledged<string>) {
            subscriber.next(value);
            asyncScheduler.schedule(ack, 4);
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      );
      expectObservable(slow$).toBe(expected);
      expectSubscriptions(source$.subscriptions).toBe(subs);
    }),
  );
});
