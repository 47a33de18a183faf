/**
 * @file How a run does, as one line at the foot of a terminal: drawn again a few times a second, gone at the end.
 */
import { interval, Subscription, type SchedulerLike } from 'rxjs';
import { progress, type Progress } from '../observe/index.js';
import { context } from '../run/index.js';
import type { Io } from './io.js';

/** What is shown beside the pace. */
export interface Counts {
  readonly taken: number;
  readonly told: number;
  readonly failed: number;
  readonly inFlight: number;
  /** From 0 to 1, where the end of the feeds is known. */
  readonly share: number | undefined;
  /** Milliseconds since the last checkpoint; undefined without any. */
  readonly checkpointMs: number | undefined;
}

export interface ProgressLine {
  /** Call for each answer. */
  readonly answered: () => void;
  /** Takes the line off the terminal, for a line that stays. */
  readonly clear: () => void;
  /** Takes it off for good. */
  readonly end: () => void;
}

/** Milliseconds between two looks: five a second on a terminal, one every two seconds where each look is a line that stays. */
const TERMINAL_MS = 200;
const LOG_MS = 2000;

export const noProgress: ProgressLine = { answered: () => undefined, clear: () => undefined, end: () => undefined };

export interface ProgressLineOptions {
  readonly stderr: Io['stderr'];
  readonly scheduler: SchedulerLike;
  readonly counts: () => Counts;
}

export function progressLine({ stderr, scheduler, counts }: ProgressLineOptions): ProgressLine {
  const isTerminal = stderr.isTTY === true;
  const { hook, progress$ } = progress({ clock: () => scheduler.now() });
  const run = context({ hooks: [hook] });
  const all = new Subscription();
  let latest: Progress | undefined;
  let shown = '';
  const clear = (): void => {
    if (shown !== '' && isTerminal) stderr.write('\r\u001b[K');
    shown = '';
  };
  const draw = (): void => {
    const text = textOf(counts(), latest).slice(0, isTerminal ? (stderr.columns ?? 80) - 1 : undefined);
    if (text === shown) return;
    stderr.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
    shown = text;
  };
  all.add(progress$.subscribe((each) => (latest = each)));
  all.add(interval(isTerminal ? TERMINAL_MS : LOG_MS, scheduler).subscribe(draw));
  let isBegun = false;
  return {
    answered() {
      // What is read again before the first answer does not count for the pace.
      if (!isBegun) run.notify('GraphLoad');
      isBegun = true;
      run.notify('Execution');
      run.notify('Waiting');
    },
    clear,
    end() {
      all.unsubscribe();
      clear();
    },
  };
}

const count = (n: number): string => n.toLocaleString('en-US');

function textOf({ taken, told, failed, inFlight, share, checkpointMs }: Counts, latest: Progress | undefined): string {
  const rate = latest?.framesPerSecond ?? 0;
  return [
    `${count(taken)} in`,
    `${count(told)} out`,
    `${count(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))}/s`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(inFlight > 0 ? [`${count(inFlight)} in flight`] : []),
    ...(checkpointMs === undefined ? [] : [`saved ${Math.floor(checkpointMs / 1000)} s ago`]),
    ...(share === undefined ? [] : [`${Math.floor(100 * share)} %`]),
  ].join('  ');
}
