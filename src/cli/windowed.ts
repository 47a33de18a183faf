/**
 * @file Lines to units: each line for itself, or those of a window stacked into one feed.
 */
import { defer, EMPTY, map, merge, mergeMap, of, Subject, tap, type Observable, type OperatorFunction } from 'rxjs';
import { EinstreamError, fault } from '../errors/index.js';
import type { Feeds } from '../run/index.js';
import { stackRows } from '../stream/chunk/rows.js';
import type { Stage } from '../stream/checkpoint/stage.js';
import {
  watermark,
  window,
  type Late,
  type Timed,
  type Windowed,
  type WindowKind,
  type WindowState,
  type WatermarkState,
} from '../stream/window/index.js';
import type { FedLine, Unit } from './units.js';

/** How lines are put together. */
export interface Windowing {
  readonly kind: WindowKind;
  /** The key of the lines that holds their time; none for windows that count. */
  readonly time: string | undefined;
  readonly delayMs: number;
  /** Late lines are told, not errors. */
  readonly tellsLate: boolean;
}

/** What a window keeps of a line: plain values and tensors, so that a checkpoint can hold them. */
interface Row {
  readonly line: number;
  readonly feeds: Feeds;
}

export const lineByLine: OperatorFunction<FedLine, Unit> = map(({ line, feeds, error }) => ({
  first: line,
  last: line,
  feeds,
  error,
}));

/** Windows leave when they are over; a line that is wrong leaves at once, and so does one that came late. */
export const windowed =
  ({ kind, time, delayMs, tellsLate }: Windowing, { keep }: Stage): OperatorFunction<FedLine, Unit> =>
  (lines$) =>
    defer(() => {
      const aside$ = new Subject<Unit>();
      let current: FedLine | undefined;
      const late = (late$: Observable<Late<Row>>): void =>
        void late$.subscribe((each) => aside$.next(lateUnit(each, tellsLate ? current?.text : undefined)));
      const timed: OperatorFunction<Row & { readonly time: number }, Timed<Row>> = time === undefined
        ? map((value) => ({ kind: 'record', time: 0, value }))
        : watermark({ time: (row) => row.time, delayMs, ...keep<WatermarkState>('time') });
      const units$ = lines$.pipe(
        mergeMap((each) => {
          current = each;
          const { line, feeds, error } = each;
          if (feeds !== undefined) return of({ line, feeds, time: each.time ?? 0 });
          aside$.next({ first: line, last: line, error });
          return EMPTY;
        }),
        timed,
        window<Row>(kind, { ...keep<WindowState<Row, undefined>>('windows'), late }),
        map(stacked),
        tap({ complete: () => aside$.complete() }),
      );
      return merge(aside$, units$);
    });

function stacked({ start, end, values }: Windowed<Row>): Unit {
  const numbers = values.map(({ line }) => line);
  const unit = { first: Math.min(...numbers), last: Math.max(...numbers), span: { start, end } };
  try {
    return { ...unit, feeds: stackRows(values.map(({ feeds }) => feeds)) };
  } catch (error) {
    if (error instanceof EinstreamError) return { ...unit, error };
    throw error;
  }
}

function lateUnit({ value, time, watermark: passed, missed }: Late<Row>, text: Uint8Array | undefined): Unit {
  const unit = { first: value.line, last: value.line };
  if (text !== undefined) return { ...unit, late: Buffer.from(text).toString('utf8').trimEnd() };
  return {
    ...unit,
    error: fault('E_EXPIRED', {
      place: '--window',
      rule: 'a line came when its window was closed',
      expected: `a time after ${passed}`,
      actual: `${time}, in [${missed[0].start}, ${missed[0].end})`,
      hint: 'wait longer with --delay, or have such lines written by --late FILE',
    }),
  };
}
