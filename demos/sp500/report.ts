/**
 * @file The report: the strangest days, the years at a glance, and how fast it went.
 */
import { percentile, sparkline } from './figures.js';
import type { ScoredDay } from './score.js';

const WIDTH = 72;
const BAR = 20;

/** What the newspapers said. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['2007-02-27', 'a sell-off that began in Shanghai'],
  ['2008-09-29', 'the US House rejects the bank rescue'],
  ['2010-05-06', 'Flash Crash'],
  ['2011-08-09', 'rebound after the US lost its AAA rating'],
  ['2018-02-05', 'volatility funds collapse'],
  ['2020-02-28', 'pandemic: the worst week since 2008 ends'],
  ['2020-03-12', 'pandemic: the worst day since 1987'],
]);

/** The highest scores first. */
export const strangest = (days: readonly ScoredDay[], count: number): readonly ScoredDay[] =>
  [...days].sort((a, b) => b.score - a.score).slice(0, count);

const signed = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`;

export function reportOf(days: readonly ScoredDay[], seconds: number): string {
  const top = strangest(days, 10);
  const most = top[0].score;
  const rows = top.map(({ date, score, change }, rank) => {
    const bar = '█'.repeat(Math.round((BAR * score) / most)).padEnd(BAR);
    return `  ${String(rank + 1).padStart(2)}  ${date}  ${score.toFixed(2).padStart(5)}  ${bar}  ${signed(Math.expm1(change)).padStart(7)}  ${KNOWN.get(date) ?? ''}`.trimEnd();
  });
  const times = days.map(({ latency }) => 1000 * latency).sort((a, b) => a - b);
  const latency = [50, 95, 99].map((share) => `p${share} ${percentile(times, share).toFixed(0)} µs`).join(', ');
  return [
    `The ten strangest days of the S&P 500, ${days[0].date} to ${days.at(-1)!.date}`,
    '',
    '   #  day         score                          close',
    ...rows,
    '',
    '  The score through the years',
    `  ${sparkline(
      days.map(({ score }) => score),
      WIDTH,
    )}`,
    `  ${years(days)}`,
    '',
    `  ${days.length.toLocaleString('en-US')} frames in ${seconds.toFixed(2)} s, ${Math.round(days.length / seconds).toLocaleString('en-US')} frames/s; latency ${latency}`,
  ].join('\n');
}

/** The years below the sparkline, each where it begins. */
function years(days: readonly ScoredDay[]): string {
  let line = '';
  days.forEach(({ date }, index) => {
    const column = Math.floor((index * WIDTH) / days.length);
    const isNew = index > 0 && date.slice(0, 4) !== days[index - 1].date.slice(0, 4);
    if (isNew && Number(date.slice(0, 4)) % 4 === 0) line = line.padEnd(column) + date.slice(0, 4);
  });
  return line;
}
