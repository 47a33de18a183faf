/**
 * @file Weeks of the S&P 500 from days out of order, in a process that kills itself.
 *
 * A program of its own: `replaying <state file> <row> <rows more>`. It goes on from the state file if there is one, prints each week as a
 * line, writes the file at `row`, computes some rows more that nobody will count, and ends with SIGKILL; without a row it runs to the end.
 */
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { lastValueFrom, Subject, toArray, type Observable } from 'rxjs';
import type { Late, WatermarkState, WindowState } from '../../../src/stream/index.js';
import { days, type Day } from '../../../demos/sp500/days.js';
import { arrivals } from '../../../demos/sp500/disorder.js';
import { weekly } from '../../../demos/sp500/weeks.js';
import { DELAYS } from '../delays.js';

interface Saved {
  readonly row: number;
  readonly time?: WatermarkState;
  readonly windows?: WindowState<Day, undefined>;
}

const [file, stopAt, more] = process.argv.slice(-3);
const saved: Saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Saved) : { row: 0 };
const rows = arrivals(await lastValueFrom(days().pipe(toArray())), DELAYS);
const print = (kind: string, what: unknown): void => void writeSync(1, `${JSON.stringify([kind, what])}\n`);

const late = (late$: Observable<Late<Day>>): void => void late$.subscribe(({ value: { date } }) => print('late', date));
const days$ = new Subject<Day>();
let [readTime, readWindows]: [(() => WatermarkState) | undefined, (() => WindowState<Day, undefined>) | undefined] = [undefined, undefined]; // prettier-ignore
days$
  .pipe(
    weekly({
      late,
      time: { from: saved.time, state: (read) => void (readTime = read) },
      windows: { from: saved.windows, state: (read) => void (readWindows = read) },
    }),
  )
  .subscribe((week) => print('week', week));
for (let row = saved.row; row < rows.length; row++) {
  if (row === Number(stopAt)) {
    writeFileSync(file, JSON.stringify({ row, time: readTime!(), windows: readWindows!() }));
    print('saved', row);
  }
  if (row === Number(stopAt) + Number(more)) process.kill(process.pid, 'SIGKILL');
  days$.next(rows[row].day);
}
days$.complete();
