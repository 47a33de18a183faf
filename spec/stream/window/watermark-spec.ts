/** @file Event time on a stream: watermarks, and inputs that are idle (B03). */
import { expect } from 'chai';
import fc from 'fast-check';
import { filter, from, map, of, Subject, type Observable } from 'rxjs';
import { EinstreamError, watermark, type Timed, type WatermarkOptions, type WatermarkState } from '../../../src/index.js';
import { marbles } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const time = (t: number): number => t;
/** Records as their values, watermarks as `<time`. */
const shown = map((item: Timed<number>) =>
  item.kind === 'record' ? item.value : item.kind === 'idle' ? 'idle' : `<${item.time}`,
);
const told = (times: readonly number[], options: Partial<WatermarkOptions<number>> = {}) =>
  watch(from(times).pipe(watermark({ time, ...options }), shown)).values;
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

describe('watermark', () => {
  expectNothingUncaught();

  it('is the latest time − delay − 1 ms behind each record that moves it, never back, and +Infinity at the end', () => {
    expect(told([10, 30, 20, 31])).to.deep.equal([10, '<9', 30, '<29', 20, 31, '<30', '<Infinity']);
    expect(told([10, 30, 20, 31], { delayMs: 15 })).to.deep.equal([10, '<-6', 30, '<14', 20, 31, '<15', '<Infinity']);
    expect(told([])).to.deep.equal(['<Infinity']);
  });

  it('follows that rule for any times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 })), fc.nat(100), (times, delayMs) => {
        const items: Timed<number>[] = [...watch(from(times).pipe(watermark({ time, delayMs }))).values];
        let [latest, last] = [-Infinity, -Infinity];
        for (const item of items.slice(0, -1)) {
          if (item.kind === 'record') latest = Math.max(latest, item.time);
          else expect(item).to.deep.equal({ kind: 'watermark', time: latest - delayMs - 1 });
          if (item.kind !== 'watermark') continue;
          expect(item.time).to.be.greaterThan(last);
          last = item.time;
        }
        expect(items.filter(({ kind }) => kind === 'record')).to.have.length(times.length);
        expect(items.at(-1)).to.deep.equal({ kind: 'watermark', time: Infinity });
      }),
      { seed: propertySeed(), numRuns: propertyRuns(50, 1000, 10_000) },
    );
  });

  it(
    'comes with its record, and ends with its source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const times$ = cold('a----b--------|', { a: 5, b: 7 });
      const subs = '       ^-------------!';
      const expected = '   (aw)-(bx)-----(z|)';

      expectObservable(times$.pipe(watermark({ time }), shown)).toBe(expected, { a: 5, w: '<4', b: 7, x: '<6', z: '<Infinity' });
      expectSubscriptions(times$.subscriptions).toBe(subs);
    }),
  );

  it(
    'calls an input idle exactly idleMs after its last record, or its subscription, once until the next record',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const often$ = cold('    a-a--a---a--------a-|');
      const often = '          a-a--a---a---i----a-|';
      const late$ = cold('     -------a-|');
      const late = '           ----i--a-|';
      const silent$ = cold('   -');
      const silent = '         ----i';
      const left$ = cold('     a');
      const unsubscribed = '   ^--!';
      const kinds = <T>(values$: Observable<T>) =>
        values$.pipe(
          watermark({ time: () => 0, idleMs: 4 }),
          filter(({ kind }) => kind !== 'watermark'),
          map(({ kind }) => (kind === 'idle' ? 'i' : 'a')),
        );

      expectObservable(kinds(often$)).toBe(often);
      expectObservable(kinds(late$)).toBe(late);
      expectObservable(kinds(silent$)).toBe(silent);
      expectObservable(kinds(left$), unsubscribed).toBe('a');
      expectSubscriptions(left$.subscriptions).toBe(unsubscribed);
    }),
  );

  it(
    'is never idle by default',
    marbles(({ cold, expectObservable }) => {
      const silent$ = cold<number>('-- 9s |');
      const expected = '    -- 9s (w|)';

      expectObservable(silent$.pipe(watermark({ time }), shown)).toBe(expected, { w: '<Infinity' });
    }),
  );

  it('goes on from a state that JSON has held as if it had not been interrupted, wherever that is', () => {
    const times = [10, 30, 20, 5, 31, 90];
    const whole = told(times, { delayMs: 3 });
    for (let cut = 0; cut <= times.length; cut++) {
      let read!: () => WatermarkState;
      const times$ = new Subject<number>();
      const first = watch(times$.pipe(watermark({ time, delayMs: 3, state: (reader) => void (read = reader) }), shown));
      for (const at of times.slice(0, cut)) times$.next(at);
      const state = JSON.parse(JSON.stringify(read())) as WatermarkState;
      first.unsubscribe();
      expect([...first.values, ...told(times.slice(cut), { delayMs: 3, from: state })]).to.deep.equal(whole);
    }
  });

  it('refuses wrong options at the call, and ends with E_CONSUMER where a time is none', () => {
    for (const options of [
      {},
      { time: 3 },
      { time, delayMs: -1 },
      { time, delayMs: Infinity },
      { time, idleMs: 0 },
      { time, delay: 1 },
      { time, from: {} },
    ])
      // prettier-ignore
      expect(() => watermark(options as never), JSON.stringify(options))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    const broken = () => {
      throw new Error('mine');
    };
    for (const wrong of [() => NaN, () => Infinity, () => '3', broken])
      expect(codeOf(watch(of(1).pipe(watermark({ time: wrong as never }))).error)).to.equal('E_CONSUMER');
  });
});
