/**
 * @file Event time: twenty years of the S&P 500 in two seconds, days out of order and late, and yet every week is right.
 *
 *     npm run --silent demo demos/replay.ts
 *
 * Rows of a CSV file, shuffled as a slow network would → `watermark` → `window`, a week each → `run(graph)`. Weeks are told when the
 * watermark has passed them, told again for days that come within another week, and what comes later still is counted.
 */
import { lastValueFrom, tap, toArray, type Observable } from 'rxjs';
import type { Late } from '../src/index.js';
import { days, type Day } from './sp500/days.js';
import { arrivals, replayed } from './sp500/disorder.js';
import { weekly, type Week } from './sp500/weeks.js';

const DAY = 86_400_000;
const SECONDS = 2;

const all = arrivals(await lastValueFrom(days().pipe(toArray())), { usual: 3, share: 0.02, most: 30, seed: 1987 });
const late: Late<Day>[] = [];
const note = (late$: Observable<Late<Day>>): void => void late$.subscribe((each) => late.push(each));
const weeks = new Map<number, Week>();
let [told, again] = [0, 0];

const speed = (all.at(-1)!.at - all[0].at) / (1000 * SECONDS);
await lastValueFrom(
  replayed(all, speed).pipe(
    weekly({ late: note }),
    tap((week) => {
      weeks.set(week.start, week);
      told++;
      if (week.isAgain) again++;
    }),
  ),
);

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
const worst = [...weeks.values()].sort((a, b) => a.change - b.change).slice(0, 5);
const count = (number: number): string => number.toLocaleString('en-US');
console.log(
  [
    `${count(all.length)} days as they came, ${(speed / DAY).toFixed(1)} days a millisecond: ${count(weeks.size)} weeks`,
    `told ${count(told)} times, ${count(again)} of them again for days that came late; ${late.length} days came too late`,
    '',
    '  the worst weeks, Monday’s close to Friday’s',
    ...worst.map(
      ({ start, days: { length }, change }) => `  ${day(start)}  ${length} days  ${(100 * Math.expm1(change)).toFixed(1)} %`,
    ),
    '',
    '  came too late',
    ...late.slice(0, 5).map(({ value, watermark }) => `  ${value.date}  when the watermark was at ${day(watermark)}`),
  ].join('\n'),
);
