/** @file Several inputs in event time: as far on as the slowest that is not idle (B03). */
import { expect } from 'chai';
import { concat, EMPTY, map, NEVER, of, Subject, throwError } from 'rxjs';
import { EinstreamError, mergeTimed, type MergeState, type Timed } from '../../../src/index.js';
import { marbles } from '../../support/marbles.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

/** Marbles: digits are watermarks, i is idle, anything else a record. */
const item = (mark: string): Timed<string> =>
  mark === 'i'
    ? { kind: 'idle' }
    : /\d/.test(mark)
      ? { kind: 'watermark', time: Number(mark) }
      : { kind: 'record', time: 0, value: mark };
const asItems = map(item);
const asMarks = map((each: Timed<string>) =>
  each.kind === 'record' ? each.value : each.kind === 'idle' ? 'i' : each.time === Infinity ? '∞' : String(each.time),
);

describe('mergeTimed', () => {
  expectNothingUncaught();

  it(
    'passes records on, and tells the least watermark of all inputs when it moves, never back',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const a$ = cold('    a-3-----7-5-|');
      const b$ = cold('    --b-2-5-----c--|');
      const subsA = '      ^-----------!';
      const subsB = '      ^--------------!';
      const expected = '   a-b-2-3-5---c--(∞|)';

      expectObservable(mergeTimed([a$.pipe(asItems), b$.pipe(asItems)]).pipe(asMarks)).toBe(expected);
      expectSubscriptions(a$.subscriptions).toBe(subsA);
      expectSubscriptions(b$.subscriptions).toBe(subsB);
    }),
  );

  it(
    'leaves an idle input out until its next record, and says that all are idle when they are',
    marbles(({ cold, expectObservable }) => {
      const a$ = cold('    2---4---6--i-------8---9--|');
      const b$ = cold('    1--i-----b----3--i-------------|');
      const expected = '   1--24---6b-------i-8---9-------(∞|)';

      expectObservable(mergeTimed([a$.pipe(asItems), b$.pipe(asItems)]).pipe(asMarks)).toBe(expected);
    }),
  );

  it(
    'does not hold the others back when an input has ended, and is at the greatest when all are idle or over',
    marbles(({ cold, expectObservable }) => {
      const a$ = cold('    2-|');
      const b$ = cold('    1---4---i---5--|');
      const expected = '   1---4---i---5--(∞|)';

      expectObservable(mergeTimed([a$.pipe(asItems), b$.pipe(asItems)]).pipe(asMarks)).toBe(expected);
    }),
  );

  it('is empty for inputs that are, silent while one is, and errs with the first, leaving the others', () => {
    expect(watch(mergeTimed([EMPTY, EMPTY]))).to.include({ isComplete: true });
    expect(watch(mergeTimed([EMPTY, NEVER]))).to.include({ isComplete: false, error: undefined });
    const other = new Subject<Timed<string>>();
    const never = new Subject<Timed<string>>();
    const error = new Error('mine');
    const seen = watch(
      mergeTimed([
        other,
        concat(
          of(item('a')),
          throwError(() => error),
        ),
        never,
      ]),
    );
    expect([seen.values, seen.error]).to.deep.equal([[item('a')], error]);
    expect([other.observed, never.observed]).to.deep.equal([false, false]);
  });

  it('queues what its consumer pushes into an input', () => {
    const [a$, b$] = [new Subject<string>(), new Subject<string>()];
    const seen: string[] = [];
    mergeTimed([a$.pipe(asItems), b$.pipe(asItems)])
      .pipe(asMarks)
      .subscribe((mark) => {
        if (mark === 'a') {
          b$.next('5');
          a$.next('4');
        }
        seen.push(mark);
      });
    a$.next('a');
    expect(seen).to.deep.equal(['a', '4']);
  });

  it('goes on from a state that JSON has held', () => {
    let read!: () => MergeState;
    const [a$, b$] = [new Subject<string>(), new Subject<string>()];
    const first = watch(mergeTimed([a$.pipe(asItems), b$.pipe(asItems)], { state: (reader) => void (read = reader) }));
    for (const mark of ['3', '7']) a$.next(mark);
    b$.next('5');
    first.unsubscribe();
    expect([a$.observed, b$.observed]).to.deep.equal([false, false]);
    const from = JSON.parse(JSON.stringify(read())) as MergeState;
    const second = watch(mergeTimed([a$.pipe(asItems), b$.pipe(asItems)], { from }).pipe(asMarks));
    for (const mark of ['4', '6', '9']) b$.next(mark);
    expect(second.values).to.deep.equal(['6', '7']);
    expect(() => mergeTimed([a$.pipe(asItems)], { from })).to.throw(EinstreamError, /a watermark for each input/);
  });

  it('refuses what are no inputs, at the call', () => {
    for (const inputs of [[], [3], of(1)])
      expect(() => mergeTimed(inputs as never))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
  });
});
