/** @file Real input: the S&P 500 in event time, days out of order and late; weeks are exact, also when the process was killed (B03). */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { firstValueFrom, from, Subject, toArray, type Observable } from 'rxjs';
import { days, type Day } from '../../../demos/sp500/days.js';
import { arrivals, replayed, timeOf, type Arrival } from '../../../demos/sp500/disorder.js';
import { PATIENCE, WEEK, weekly, type Week } from '../../../demos/sp500/weeks.js';
import type { Late, WatermarkState, WindowState } from '../../../src/index.js';
import { buildProgram } from '../../support/commandLine.js';
import { DELAYS } from '../../support/delays.js';
import { virtually } from '../../support/marbles.js';
import { isLarge, propertyRuns, propertySeed } from '../../support/property.js';
import { runProcess } from '../../support/runProcess.js';
import { projectRoot } from '../../support/sourceFiles.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const { sizeMs, offsetMs } = WEEK.tumbling;
const mondayOf = (day: Day): number => Math.floor((timeOf(day) - offsetMs) / sizeMs) * sizeMs + offsetMs;

/** Which days come too late follows from the order alone: the week was over, and the time after it too. */
function byDefinition(rows: readonly Arrival[]): { readonly weeks: readonly Week[]; readonly late: readonly string[] } {
  const weeks = new Map<number, Day[]>();
  const late: string[] = [];
  let latest = -Infinity;
  for (const { day } of rows) {
    const end = mondayOf(day) + sizeMs;
    if (end + PATIENCE.allowedLatenessMs <= latest - PATIENCE.delayMs) late.push(day.date);
    else weeks.set(mondayOf(day), [...(weeks.get(mondayOf(day)) ?? []), day]);
    latest = Math.max(latest, timeOf(day));
  }
  return {
    late,
    weeks: [...weeks]
      .sort(([a], [b]) => a - b)
      .map(([start, unsorted]) => {
        const inOrder = [...unsorted].sort((a, b) => timeOf(a) - timeOf(b));
        const logs = inOrder.map(({ prices }) => Math.log(prices[2]));
        return {
          start,
          end: start + sizeMs,
          days: inOrder.map(({ date }) => date),
          change: logs.at(-1)! - logs[0],
          spread: Math.max(...logs) - Math.min(...logs),
          isAgain: false,
        };
      }),
  };
}

const lastWord = (told: readonly Week[]): readonly Week[] =>
  [...new Map(told.map((week) => [week.start, { ...week, isAgain: false }])).values()].sort((a, b) => a.start - b.start);

const noting =
  (dates: string[]) =>
  (late$: Observable<Late<Day>>): void =>
    void late$.subscribe(({ value }) => dates.push(value.date));

interface Heard {
  readonly told: readonly Week[];
  readonly late: readonly string[];
}

describe('the weeks of the S&P 500, replayed out of order', function () {
  this.timeout(60_000);
  expectNothingUncaught();
  let rows: readonly Arrival[];
  let whole: Heard;
  before(async () => {
    rows = arrivals(await firstValueFrom(days().pipe(toArray())), DELAYS);
    const late: string[] = [];
    const told = watch(from(rows.map(({ day }) => day)).pipe(weekly({ late: noting(late) }))); // prettier-ignore
    whole = { told: told.values, late };
  });

  it('are exactly those of a computation over all days at once, and each late day is accounted for', () => {
    const { weeks, late } = byDefinition(rows);
    expect(lastWord(whole.told)).to.deep.equal(weeks);
    expect(whole.late).to.deep.equal(late);
    const again = whole.told.filter(({ isAgain }) => isAgain).length;
    const inversions = rows.filter(({ day }, k) => k > 0 && timeOf(day) < timeOf(rows[k - 1].day)).length;
    console.log(`    ${rows.length} days, ${inversions} behind a later one: ${weeks.length} weeks, ${again} told again, ${late.length} days too late`); // prettier-ignore
    expect(rows.length - late.length).to.equal(weeks.reduce((sum, { days: { length } }) => sum + length, 0));
    expect([again > 20, late.length > 20, inversions > 1000]).to.deep.equal([true, true, true]);
  });

  it('are the same in their own rhythm, scaled in time', () => {
    virtually(({ flush }) => {
      const speed = (rows.at(-1)!.at - rows[0].at) / 2000;
      const told = watch(replayed(rows, speed).pipe(weekly({ late: () => undefined })));
      flush();
      expect(told.values).to.deep.equal(whole.told);
    });
  });

  it('are the same when the stream is dropped at any row and another one goes on from its state', () => {
    const lives = (cut: number): Heard => {
      const late: string[] = [];
      const note = { late: noting(late) }; // prettier-ignore
      let [time, windows]: [(() => WatermarkState) | undefined, (() => WindowState<Day, undefined>) | undefined] = [undefined, undefined]; // prettier-ignore
      const days$ = new Subject<Day>();
      const first = watch(days$.pipe(weekly({ ...note, time: { state: (read) => void (time = read) }, windows: { state: (read) => void (windows = read) } }))); // prettier-ignore
      for (const { day } of rows.slice(0, cut)) days$.next(day);
      const state = JSON.parse(JSON.stringify({ time: time!(), windows: windows!() })) as { time: WatermarkState; windows: WindowState<Day, undefined> }; // prettier-ignore
      first.unsubscribe();
      const rest$ = from(rows.slice(cut).map(({ day }) => day));
      const second = watch(rest$.pipe(weekly({ ...note, time: { from: state.time }, windows: { from: state.windows } })));
      return { told: [...first.values, ...second.values], late };
    };
    fc.assert(
      fc.property(fc.nat(rows.length), (cut) => void expect(lives(cut)).to.deep.equal(whole)),
      { seed: propertySeed(), numRuns: propertyRuns(3, 60, 1000) },
    );
  });

  // In `npm test` a stream that is dropped stands for it.
  if (isLarge())
    it('are the same when the process is killed at any row, and another one goes on from its file', async () => {
      const program = await buildProgram('spec/support/children/replaying.ts');
      const folder = mkdtempSync(join(projectRoot, '.cache/replay-'));
      try {
        const life = (index: number, ...args: readonly string[]) => {
          const { stdout, stderr } = runProcess(process.execPath, [program.path, join(folder, String(index)), ...args]);
          expect(stderr).to.equal('');
          const lines = stdout.trim().split('\n').map((line) => JSON.parse(line) as readonly [string, never]); // prettier-ignore
          const end = lines.findIndex(([kind]) => kind === 'saved');
          return { lines: end < 0 ? lines : lines.slice(0, end), lost: end < 0 ? 0 : lines.length - end - 1 };
        };
        fc.assert(
          fc.property(fc.integer({ min: 100, max: rows.length - 100 }), fc.nat(), (row, index) => {
            const before = life(index, String(row), '90');
            const after = life(index, 'never', '0');
            expect(before.lost, 'weeks that nobody counts, as they came after the file').to.be.greaterThan(3);
            const lines = [...before.lines, ...after.lines];
            const told = lines.filter(([kind]) => kind === 'week').map(([, week]) => week as Week);
            const late = lines.filter(([kind]) => kind === 'late').map(([, date]) => date as string);
            expect({ told, late }).to.deep.equal(whole);
          }),
          { seed: propertySeed(), numRuns: propertyRuns(1, 5, 100) },
        );
      } finally {
        program.remove();
        rmSync(folder, { recursive: true });
      }
    });
});
