/** @file Windows in event time: what they hold, when they are told, and what becomes of late records (B03). */
import { expect } from 'chai';
import fc from 'fast-check';
import { from, map, take } from 'rxjs';
import { EinstreamError, watermark, window, type Timed, type WindowKind } from '../../../src/index.js';
import { marbles } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';
import { alignedByDefinition, lastWord, sessionsByDefinition, windowsOf, type Row } from '../../support/windowed.js';

const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);
const rowsAt = (...times: readonly number[]): Row[] => times.map((at, id) => ({ at, id, key: '' }));
/** Windows as `start:times`. */
const told = (times: readonly number[], kind: WindowKind, delayMs = 0, allowedLatenessMs = 0) =>
  windowsOf(rowsAt(...times), kind, delayMs, { allowedLatenessMs }).told.map(
    ({ start, end, values }) => `[${start},${end}) ${values.map(({ at }) => at).join(' ')}`,
  );

describe('window', () => {
  expectNothingUncaught();

  describe('tumbling', () => {
    it('is [start, end), a start for each size since the epoch, before it too', () => {
      expect(told([-11, -10, -1, 0, 9, 10], { tumbling: { sizeMs: 10 } })).to.deep.equal([
        '[-20,-10) -11',
        '[-10,0) -10 -1',
        '[0,10) 0 9',
        '[10,20) 10',
      ]);
    });

    it('is shifted by offsetMs', () => {
      expect(told([2, 3, 12, 13], { tumbling: { sizeMs: 10, offsetMs: 3 } })).to.deep.equal(['[-7,3) 2', '[3,13) 3 12', '[13,23) 13']); // prettier-ignore
    });

    it(
      'is told with the record that moves the watermark to its last millisecond; the rest at the end',
      marbles(({ hot, expectObservable, expectSubscriptions }) => {
        const ticks: Record<string, number> = { a: 1, b: 8, c: 12, d: 13, e: 25 };
        const ticks$ = hot('  a-b-c-d--e---|');
        const subs = '        ^------------!';
        const expected = '    ------x--y---(z|)';

        const windows$ = ticks$.pipe(
          watermark({ time: (tick) => ticks[tick], delayMs: 3 }), // 13 − 3 − 1 = 9
          window({ tumbling: { sizeMs: 10 } }),
          map(({ values }) => values.join('')),
        );
        expectObservable(windows$).toBe(expected, { x: 'ab', y: 'cd', z: 'e' });
        expectSubscriptions(ticks$.subscriptions).toBe(subs);
      }),
    );
  });

  it('hopping: a record is in each window that is over its time', () => {
    expect(told([0, 5, 12], { hopping: { sizeMs: 10, everyMs: 5 } })).to.deep.equal([
      '[-5,5) 0',
      '[0,10) 0 5',
      '[5,15) 5 12',
      '[10,20) 12',
    ]);
  });

  it('session: ends a gap after its last record, for each key alone; a record between two joins them', () => {
    expect(told([0, 9, 18, 28, 60], { session: { gapMs: 10 } })).to.deep.equal(['[0,28) 0 9 18', '[28,38) 28', '[60,70) 60']);
    expect(told([0, 15, 8, 40], { session: { gapMs: 10 } }, 20)).to.deep.equal(['[0,25) 0 8 15', '[40,50) 40']);
    const rows = [0, 5, 8, 13, 30].map((at, id) => ({ at, id, key: id % 2 === 0 ? 'even' : 'odd' }));
    expect(windowsOf(rows, { session: { gapMs: 10 } }, 20).told.map(({ key, start, end }) => [key, start, end])).to.deep.equal([
      ['even', 0, 18],
      ['odd', 5, 23],
      ['even', 30, 40],
    ]);
  });

  it('count: so many records of a key in order of arrival; what no window held leaves at the end', () => {
    expect(told([5, 3, 9, 1, 2], { count: { size: 2 } })).to.deep.equal(['[0,2) 5 3', '[2,4) 9 1', '[4,5) 2']);
    expect(told([1, 2, 3, 4], { count: { size: 3, every: 1 } })).to.deep.equal(['[0,3) 1 2 3', '[1,4) 2 3 4']);
    expect(told([1, 2, 3, 4, 5, 6], { count: { size: 3, every: 2 } })).to.deep.equal(['[0,3) 1 2 3', '[2,5) 3 4 5', '[4,6) 5 6']);
    const rows = ['a', 'b', 'a', 'b', 'b'].map((key, id) => ({ at: 0, id, key }));
    expect(
      windowsOf(rows, { count: { size: 2 } }).told.map(({ key, values }) => [key, values.map(({ id }) => id)]),
    ).to.deep.equal([
      ['a', [0, 2]],
      ['b', [1, 3]],
      ['b', [4]],
    ]);
  });

  it('tells windows that end first first, and of these the one opened first, whatever the keys', () => {
    const rows = [
      { at: 12, id: 0, key: 'z' },
      { at: 3, id: 1, key: 'b' },
      { at: 1, id: 2, key: 'a' },
      { at: 15, id: 3, key: 'a' },
      { at: 99, id: 4, key: 'a' },
    ];
    expect(windowsOf(rows, { tumbling: { sizeMs: 10 } }, 50).told.map(({ key, end }) => [end, key])).to.deep.equal([
      [10, 'b'],
      [10, 'a'],
      [20, 'z'],
      [20, 'a'],
      [100, 'a'],
    ]);
  });

  describe('in any order of arrival', () => {
    const times = fc.array(fc.record({ at: fc.integer({ min: -60, max: 200 }), key: fc.constantFrom('a', 'b', 'c') }), { minLength: 1, maxLength: 40 }); // prettier-ignore
    const rows = times.map((items) => items.map((item, id): Row => ({ ...item, id })));
    const property = <T>(arbitrary: fc.Arbitrary<T>, check: (given: T) => void) =>
      fc.assert(fc.property(arbitrary, check), { seed: propertySeed(), numRuns: propertyRuns(60, 3000, 30_000) });

    it('aligned windows are those of the definition, when the delay covers the disorder', () => {
      const sizes = fc.record({ size: fc.integer({ min: 1, max: 50 }), hops: fc.integer({ min: 1, max: 5 }), offset: fc.integer({ min: -20, max: 20 }) }); // prettier-ignore
      property(fc.tuple(rows, sizes), ([all, { size, hops, offset }]) => {
        const every = Math.ceil(size / hops);
        const { told: windows, late } = windowsOf(all, { hopping: { sizeMs: size, everyMs: every, offsetMs: offset } }, 300);
        expect(late).to.deep.equal([]);
        expect(lastWord(windows)).to.deep.equal(alignedByDefinition(all, size, every, offset));
        expect(windows.every(({ replaces }) => replaces.length === 0)).to.equal(true);
      });
    });

    it('sessions are those of the definition, when the delay covers the disorder, or the lateness does', () => {
      property(fc.tuple(rows, fc.integer({ min: 1, max: 40 })), ([all, gapMs]) => {
        for (const [delayMs, allowedLatenessMs] of [[300, 0], [0, 400], [7, 393]]) {
          const { told: windows, late } = windowsOf(all, { session: { gapMs } }, delayMs, { allowedLatenessMs });
          expect(late).to.deep.equal([]);
          expect(lastWord(windows)).to.deep.equal(sessionsByDefinition(all, gapMs));
        }
      }); // prettier-ignore
    });

    it('what is told, and what was late, are all records: those on time by definition in their windows', () => {
      property(
        fc.tuple(rows, fc.integer({ min: 1, max: 50 }), fc.nat(60), fc.nat(40)),
        ([all, sizeMs, delayMs, allowedLatenessMs]) => {
          // prettier-ignore
          const { told: windows, late } = windowsOf(all, { tumbling: { sizeMs } }, delayMs, { allowedLatenessMs });
          let latest = -Infinity;
          const onTime = all.filter(({ at }) => {
            const end = (Math.floor(at / sizeMs) + 1) * sizeMs;
            const isLate = end - 1 + allowedLatenessMs <= latest - delayMs - 1;
            latest = Math.max(latest, at);
            return !isLate;
          });
          expect(lastWord(windows)).to.deep.equal(alignedByDefinition(onTime, sizeMs, sizeMs, 0));
          expect(onTime.length + late.length).to.equal(all.length);
        },
      );
    });
  });

  it('holds no more windows than maxWindows', () => {
    const keys = Array.from({ length: 5 }, (_, id) => ({ at: 0, id, key: String(id) }));
    for (const kind of [{ tumbling: { sizeMs: 10 } }, { session: { gapMs: 3 } }, { count: { size: 9 } }]) {
      expect(windowsOf(keys, kind, 0, { maxWindows: 5 }).error).to.equal(undefined);
      expect(codeOf(windowsOf(keys, kind, 0, { maxWindows: 4 }).error)).to.equal('E_LIMIT');
    }
    const closing = rowsAt(...Array.from({ length: 50 }, (_, k) => 10 * k));
    expect(windowsOf(closing, { tumbling: { sizeMs: 10 } }, 0, { maxWindows: 2 }).told).to.have.length(50);
  });

  it('stops in the middle of many windows when its consumer leaves', () => {
    let counted = 0;
    const source$ = from([1, 11, 21, 99]).pipe(map((time): Timed<number> => ({ kind: 'record', time, value: counted++ })));
    expect(watch(source$.pipe(window({ tumbling: { sizeMs: 10 } }), take(2))).values.map(({ start }) => start)).to.deep.equal([0, 10]); // prettier-ignore
  });

  it('refuses wrong kinds and options at the call, and ends with E_CONSUMER for callbacks that throw', () => {
    const kinds: readonly unknown[] = [
      undefined,
      {},
      'tumbling',
      { tumbling: 10 },
      { sliding: { sizeMs: 1 } },
      { tumbling: { sizeMs: 0 } },
      { tumbling: { sizeMs: 10, everyMs: 5 } },
      { tumbling: { sizeMs: 10, offsetMs: NaN } },
      { hopping: { sizeMs: 10 } },
      { hopping: { sizeMs: 10, everyMs: 11 } },
      { session: { gapMs: -1 } },
      { count: { size: 1.5 } },
      { count: { size: 2, every: 3 } },
      { count: { size: 2 }, session: { gapMs: 2 } },
    ];
    const options: readonly unknown[] = [{ key: 'a' }, { late: 3 }, { allowedLatenessMs: -1 }, { maxWindows: 0 }, { lateness: 3 }, { from: {} }]; // prettier-ignore
    const calls = [...kinds.map((kind) => [kind]), ...options.map((each) => [{ count: { size: 1 } }, each])];
    for (const call of calls)
      expect(() => window(...(call as [never])), JSON.stringify(call))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    const broken = (): never => {
      throw new Error('mine');
    };
    for (const callback of [{ key: broken }, { late: broken }, { state: broken }]) {
      const { error } = windowsOf(rowsAt(1), { tumbling: { sizeMs: 10 } }, 0, callback);
      expect([codeOf(error), (error as Error & { cause: Error }).cause.message]).to.deep.equal(['E_CONSUMER', 'mine']);
    }
  });
});
