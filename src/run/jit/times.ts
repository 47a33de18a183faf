/**
 * @file What runs of a program took. The middle of the later half counts: new code is slow at first, and one pause of the machine
 * decides nothing.
 */

export interface Times {
  /** Milliseconds of all nodes so far: programs add to it as they run. */
  ms: number;
  /** Runs that were begun. */
  runs: number;
  /** `ms` when the latest of them began. */
  since: number;
  /** Milliseconds of each run that is over, as many as are asked for. */
  readonly samples: number[];
}

export const noTimes = (): Times => ({ ms: 0, runs: 0, since: 0, samples: [] });

/** A run begins; the one before is over. At most `window` of them are kept. */
export function beginRun(times: Times, window: number): void {
  if (times.runs > 0 && times.samples.length < window) times.samples.push(times.ms - times.since);
  times.since = times.ms;
  times.runs++;
}

/** Milliseconds of a run; undefined before the first. */
export function timePerRun({ ms, runs, since, samples }: Times): number | undefined {
  if (runs === 0) return undefined;
  const all = [...samples, ms - since];
  const later = all.slice(all.length >> 1).sort((a, b) => a - b);
  return later[later.length >> 1];
}
