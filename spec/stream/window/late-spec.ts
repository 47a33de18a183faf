/** @file Records that come after their windows: told again, in a stream of their own, or an error; never dropped in silence (B03). */
import { expect } from 'chai';
import { asyncScheduler, map, of, type Observable } from 'rxjs';
import { EinstreamError, watermark, window, type Late } from '../../../src/index.js';
import { virtually } from '../../support/marbles.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';
import { windowsOf, type Row } from '../../support/windowed.js';

const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);
const rowsAt = (...times: readonly number[]): Row[] => times.map((at, id) => ({ at, id, key: '' }));

describe('what is late', () => {
  expectNothingUncaught();

  it('goes to late$ with the windows that it missed, of hopping ones perhaps not all', () => {
    const { told: windows, late } = windowsOf(rowsAt(0, 21, 7, 12), { hopping: { sizeMs: 20, everyMs: 10 } });
    expect(late.map(({ time, missed, watermark: passed }) => [time, missed, passed])).to.deep.equal([
        [7, [{ start: -10, end: 10 }, { start: 0, end: 20 }], 20],
        [12, [{ start: 0, end: 20 }], 20],
      ]); // prettier-ignore
    expect(windows.map(({ start, values }) => [start, values.map(({ at }) => at)])).to.deep.equal([
      [-10, [0]],
      [0, [0]],
      [10, [12, 21]],
      [20, [21]],
    ]);
  });

  it('lets its window be told again at once for allowedLatenessMs, and says what that replaces', () => {
    const kind = { tumbling: { sizeMs: 10 } };
    const { told: windows, late } = windowsOf(rowsAt(1, 10, 2, 14, 3, 15, 4, 30), kind, 0, { allowedLatenessMs: 5 });
    expect(windows.map(({ values, replaces }) => [values.map(({ at }) => at).join(' '), replaces])).to.deep.equal([
      ['1', []],
      ['1 2', [{ start: 0, end: 10 }]],
      ['1 2 3', [{ start: 0, end: 10 }]],
      ['10 14 15', []],
      ['30', []],
    ]);
    expect(late.map(({ time }) => time)).to.deep.equal([4]); // the watermark is 14 = 9 + 5
  });

  it('joins sessions that were told, and says which', () => {
    const { told: windows } = windowsOf(rowsAt(0, 15, 40, 8), { session: { gapMs: 10 } }, 0, { allowedLatenessMs: 100 });
    expect(windows.map(({ start, end, replaces }) => [start, end, replaces])).to.deep.equal([
        [0, 10, []],
        [15, 25, []],
        [0, 25, [{ start: 0, end: 10 }, { start: 15, end: 25 }]],
        [40, 50, []],
      ]); // prettier-ignore
  });

  it('is E_EXPIRED where nobody takes it: nothing is dropped in silence', () => {
    const { error, told: windows } = windowsOf(rowsAt(1, 10, 2), { tumbling: { sizeMs: 10 } }, 0, { late: undefined });
    expect([codeOf(error), windows.length]).to.deep.equal(['E_EXPIRED', 1]);
    expect(String(error)).to.match(/times after the watermark, 9, got time 2, in \[0, 10\).*late\$/);
  });

  it('comes on a stream of its own for each subscription, at once, which ends with it however that ends', () => {
    const heard: unknown[] = [];
    let subscriptions = 0;
    virtually(({ cold, expectObservable, flush }) => {
      const times$ = cold(' ab-c-b-#', { a: 1, b: 2, c: 10 });
      const expected = '    ---w---#';
      const left = '        ^-----!';
      const before = '      ---w---';
      const late = (late$: Observable<Late<number>>): void => {
        const number = ++subscriptions;
        const note = (what: unknown): unknown => heard.push([number, asyncScheduler.now(), what]);
        late$.subscribe({ next: ({ value }) => note(value), complete: () => note('end') });
      };
      const windows$ = times$.pipe(
        watermark({ time: (at) => at }),
        window({ tumbling: { sizeMs: 10 } }, { late }),
        map(({ values }) => values.length),
      );
      expectObservable(windows$).toBe(expected, { w: 2 });
      expectObservable(windows$, left).toBe(before, { w: 2 });
      flush();
    });
    expect(heard).to.deep.equal([
      [1, 5, 2],
      [2, 5, 2],
      [2, 6, 'end'],
      [1, 7, 'end'],
    ]);
  });

  it('is nothing for records in time: late$ is empty, and completes', () => {
    const heard: unknown[] = [];
    const note = (late$: Observable<Late<number>>): void =>
      void late$.subscribe({ next: (each) => heard.push(each), complete: () => heard.push('end') });
    const windows$ = of(1, 50).pipe(watermark({ time: (at) => at }), window({ tumbling: { sizeMs: 10 } }, { late: note }));
    expect(watch(windows$).values).to.have.length(2);
    expect(heard).to.deep.equal(['end']);
  });
});
