/**
 * @file Weeks of the S&P 500: windows from Monday to Monday, and what a graph makes of each.
 */
import { connect, map, pipe, zip, type Observable, type OperatorFunction } from 'rxjs';
import {
  at,
  graph,
  input,
  log,
  max,
  min,
  run,
  slice,
  sub,
  tensor,
  watermark,
  window,
  type Kept,
  type Late,
  type Span,
  type WatermarkState,
  type Windowed,
  type WindowState,
} from '../../src/index.js';
import { COLUMNS, type Day } from './days.js';
import { timeOf } from './disorder.js';

const DAY = 86_400_000;
const CLOSE = COLUMNS.indexOf('close');

/** The epoch was a Thursday: the Monday after it came four days later. */
export const WEEK = { tumbling: { sizeMs: 7 * DAY, offsetMs: 4 * DAY } } as const;

/** How long a week waits for its days before it is told, and for how long it is told again for those that come then. */
export const PATIENCE = { delayMs: 2 * DAY, allowedLatenessMs: 7 * DAY } as const;

/** Log return from the first close to the last, and the widest range of closes, in logs. */
const week = graph({ closes: input(['days'], { dtype: 'float64' }) }, ({ closes }) => {
  const logs = log(closes);
  return { change: sub(slice(logs, at(-1)), slice(logs, at(0))), spread: sub(max(logs), min(logs)) };
});

export interface Week extends Span {
  readonly days: readonly string[];
  readonly change: number;
  readonly spread: number;
  readonly isAgain: boolean;
}

export interface WeekOptions {
  readonly late: (late$: Observable<Late<Day>>) => void;
  readonly time?: Kept<WatermarkState>;
  readonly windows?: Kept<WindowState<Day, undefined>>;
}

/** Days in any order in, weeks out. */
export const weekly = ({ late, time, windows }: WeekOptions): OperatorFunction<Day, Week> =>
  pipe(
    watermark({ time: timeOf, delayMs: PATIENCE.delayMs, ...time }),
    window(WEEK, { late, allowedLatenessMs: PATIENCE.allowedLatenessMs, ...windows }),
    described,
  );

const described: OperatorFunction<Windowed<Day>, Week> = connect((weeks$) =>
  zip(
    weeks$,
    weeks$.pipe(
      map(({ values }) => ({ closes: tensor(values.map(({ prices }) => prices[CLOSE]), { dtype: 'float64' }) })), // prettier-ignore
      run(week),
    ),
  ).pipe(
    map(([{ start, end, values, replaces }, { change, spread }]) => ({
      start,
      end,
      days: values.map(({ date }) => date),
      change: change.data[0] as number,
      spread: spread.data[0] as number,
      isAgain: replaces.length > 0,
    })),
  ),
);
