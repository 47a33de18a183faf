/** @file Windows that are interrupted anywhere and go on from their state tell each window once, as if nothing had been (B03, B09). */
import { expect } from 'chai';
import fc from 'fast-check';
import { Subject, type Observable } from 'rxjs';
import {
  EinstreamError,
  watermark,
  window,
  type Late,
  type WatermarkState,
  type WindowKind,
  type Windowed,
  type WindowState,
} from '../../../src/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';
import { keyOf, timeOf, windowsOf, type Row } from '../../support/windowed.js';

const kinds: readonly WindowKind[] = [
  { tumbling: { sizeMs: 20, offsetMs: 3 } },
  { hopping: { sizeMs: 30, everyMs: 10 } },
  { session: { gapMs: 12 } },
  { count: { size: 3 } },
  { count: { size: 4, every: 2 } },
];

interface Saved {
  readonly time?: WatermarkState;
  readonly windows?: WindowState<Row, string>;
}

/** One life of the windows: their rows one by one, and what they remember, as text. */
function life(kind: WindowKind, delayMs: number, allowedLatenessMs: number, { time, windows }: Saved) {
  const rows$ = new Subject<Row>();
  const late: Late<Row, string>[] = [];
  const note = (late$: Observable<Late<Row, string>>): void => void late$.subscribe((each) => late.push(each));
  let [readTime, readWindows]: [(() => WatermarkState) | undefined, (() => WindowState<Row, string>) | undefined] = [undefined, undefined]; // prettier-ignore
  const windows$ = rows$.pipe(
    watermark({ time: timeOf, delayMs, from: time, state: (read) => void (readTime = read) }),
    window(kind, {
      key: keyOf,
      allowedLatenessMs,
      late: note,
      from: windows,
      state: (read) => void (readWindows = read),
    }),
  );
  return { rows$, late, windows$, save: (): string => JSON.stringify({ time: readTime!(), windows: readWindows!() }) };
}

const rows = fc
  .array(fc.record({ at: fc.integer({ min: -50, max: 150 }), key: fc.constantFrom('a', 'b') }), { minLength: 1, maxLength: 30 })
  .map((items) => items.map((item, id): Row => ({ ...item, id })));
const lives = fc.record({
  all: rows,
  kind: fc.constantFrom(...kinds),
  delayMs: fc.nat(60),
  allowedLatenessMs: fc.nat(60),
  cuts: fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }),
});
const always = <T>(arbitrary: fc.Arbitrary<T>, check: (given: T) => void): void =>
  fc.assert(fc.property(arbitrary, check), { seed: propertySeed(), numRuns: propertyRuns(80, 4000, 40_000) });

describe('the state of windows', () => {
  expectNothingUncaught();

  it('holds all that they are between two rows, as text', () => {
    always(lives, ({ all, kind, delayMs, allowedLatenessMs, cuts }) => {
      const ends = [...cuts.map((cut) => cut % (all.length + 1)), all.length].sort((a, b) => a - b);
      const told: Windowed<Row, string>[] = [];
      const late: Late<Row, string>[] = [];
      let saved: Saved = {};
      let begin = 0;
      ends.forEach((end, part) => {
        const { rows$, windows$, save, late: lateHere } = life(kind, delayMs, allowedLatenessMs, saved);
        const seen = watch(windows$);
        for (const row of all.slice(begin, end)) rows$.next(row);
        if (part === ends.length - 1) rows$.complete();
        else saved = JSON.parse(save()) as Saved;
        seen.unsubscribe();
        told.push(...seen.values);
        late.push(...lateHere);
        begin = end;
      });
      const whole = windowsOf(all, kind, delayMs, { allowedLatenessMs });
      expect({ told, late }).to.deep.equal({ told: whole.told, late: whole.late });
    });
  });

  it('holds what a consumer has not been told yet, when it is read while one of many windows is told', () => {
    always(fc.tuple(lives, fc.nat(20)), ([{ all, kind, delayMs, allowedLatenessMs }, stop]) => {
      const first = life(kind, delayMs, allowedLatenessMs, {});
      const told: Windowed<Row, string>[] = [];
      let saved: string | undefined;
      const subscription = first.windows$.subscribe((each) => {
        told.push(each);
        if (told.length === stop + 1) {
          saved = first.save();
          subscription.unsubscribe();
        }
      });
      let row = 0;
      while (row < all.length && saved === undefined) first.rows$.next(all[row++]);
      if (saved === undefined) return;
      const second = life(kind, delayMs, allowedLatenessMs, JSON.parse(saved) as Saved);
      const seen = watch(second.windows$);
      for (const each of all.slice(row)) second.rows$.next(each);
      second.rows$.complete();
      const whole = windowsOf(all, kind, delayMs, { allowedLatenessMs });
      expect([...told, ...seen.values]).to.deep.equal(whole.told);
    });
  });

  it('is a value: frozen, and not changed by what follows', () => {
    const { rows$, windows$, save } = life({ session: { gapMs: 10 } }, 0, 100, {});
    watch(windows$);
    rows$.next({ at: 0, id: 0, key: 'a' });
    const before = JSON.parse(save()) as Saved;
    const again = life({ session: { gapMs: 10 } }, 0, 100, before);
    watch(again.windows$);
    rows$.next({ at: 5, id: 1, key: 'a' });
    again.rows$.next({ at: 30, id: 2, key: 'a' });
    expect(before).to.deep.equal({
      time: { latest: 0, told: -1 },
      windows: {
        of: { kind: 'session', gap: 10 },
        watermark: -1,
        windows: [{ key: 'a', start: 0, end: 10, times: [0], values: [{ at: 0, id: 0, key: 'a' }], told: [], isNew: true }],
      },
    });
    let read!: () => WindowState<Row, string>;
    const timed$ = rows$.pipe(watermark({ time: timeOf }));
    watch(timed$.pipe(window({ count: { size: 3 } }, { key: keyOf, state: (reader) => void (read = reader) })));
    rows$.next({ at: 0, id: 0, key: 'a' });
    const state = read();
    expect([state, state.windows, state.windows[0], state.windows[0].values].every(Object.isFrozen)).to.equal(true);
  });

  it('is refused by windows of another kind or size', () => {
    const { windows$, save } = life({ session: { gapMs: 10 } }, 0, 0, {});
    watch(windows$);
    const { windows } = JSON.parse(save()) as Required<Saved>;
    expect(() => window({ session: { gapMs: 11 } }, { from: windows as never }))
      .to.throw(EinstreamError, /goes on with the windows/)
      .with.property('code', 'E_ARGUMENT');
  });
});
