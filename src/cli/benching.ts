/**
 * @file Contenders that do the same job, timed in turns, so that whatever else the machine does slows all of them.
 */

/** Something to time. */
export interface Contender {
  readonly frame: () => void;
}

export interface BenchTimes {
  readonly leastMs: number;
  readonly medianMs: number;
}

export interface Benching {
  /** Milliseconds. */
  readonly clock: () => number;
  /** Turns of each contender. */
  readonly runs: number;
  /** Asked between turns; true ends it. */
  readonly isStopped: () => boolean;
  /** Lets others have the thread between turns. */
  readonly pause: () => Promise<void>;
  readonly told?: (run: number) => void;
}

/** A turn lasts about so many milliseconds, for clocks that are coarse, and has at most so many frames. */
const [TURN_MS, MOST_FRAMES] = [5, 1000];
/** Rounds before those that count. */
const WARM = 2;

/** Milliseconds of one frame of each contender, and how many rounds counted: fewer than asked where it was stopped, undefined before the first. */
export async function benching(
  contenders: readonly Contender[],
  { clock, runs, isStopped, pause, told }: Benching,
): Promise<{ readonly runs: number; readonly times: readonly BenchTimes[] | undefined }> {
  const turn = ({ frame }: Contender, frames: number): number => {
    const start = clock();
    for (let n = 0; n < frames; n++) frame();
    return (clock() - start) / frames;
  };
  const frames: number[] = [];
  const found = contenders.map((): number[] => []);
  let counted = 0;
  // The first frame of each makes its kernels, so the second says how many a turn has.
  for (let round = -WARM - 2; round < runs; round++) {
    const times: number[] = [];
    for (const [k] of contenders.entries()) {
      await pause();
      if (isStopped()) return { runs: counted, times: counted === 0 ? undefined : found.map(timesOf) };
      // Another one begins each round: who comes after whom matters on a warm processor.
      const at = (k + Math.max(0, round)) % contenders.length;
      times[at] = turn(contenders[at], round < -WARM ? 1 : frames[at]);
      frames[at] ??= 0;
      if (round === -WARM - 1) frames[at] = Math.min(MOST_FRAMES, Math.max(1, Math.ceil(TURN_MS / Math.max(times[at], 1e-9))));
    }
    if (round < 0) continue;
    times.forEach((time, at) => found[at].push(time));
    counted++;
    told?.(counted);
  }
  return { runs: counted, times: found.map(timesOf) };
}

function timesOf(times: readonly number[]): BenchTimes {
  const sorted = [...times].sort((a, b) => a - b);
  return { leastMs: sorted[0], medianMs: (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 };
}
