/**
 * @file Kernels alone, by the processor's time: targets take turns, as other processes disturb some turns and not others.
 */
import type { Target } from '../../../src/codegen/render/wasm/kernel.js';
import type { Case } from './cases.js';
import { record, type Recorded } from './recorded.js';

export interface NamedTarget {
  readonly name: string;
  readonly target: Target;
}

/** Milliseconds of the processor for all kernels of a case. */
export interface Timed {
  readonly name: string;
  readonly least: number;
  readonly median: number;
  /** The first run, in code that the engine compiled in one pass. */
  readonly first: number;
  /** Runs before the first that takes at most 1.5 times the least: by then the optimised code is there. */
  readonly warming: number;
  readonly recorded: Recorded;
}

/** Milliseconds that a turn lasts at least: the processor's clock counts in microseconds. */
const TURN = 20;
/** Milliseconds until the engine has long optimised what runs often. */
const WARM = 250;

const timeOf = (run: () => void, times: number): number => {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / times;
};

/** Runs from cold to warm, each by the clock: what the engine optimises meanwhile is other threads' time. */
function warm(run: () => void): readonly number[] {
  const end = performance.now() + WARM;
  const all: number[] = [];
  do {
    const start = performance.now();
    run();
    all.push(performance.now() - start);
  } while (performance.now() < end || all.length < 3);
  return all;
}

/** One case for several targets, interleaved. Every result is checked before it is timed. */
export function timeCase(given: Case, targets: readonly NamedTarget[], turns: number): readonly Timed[] {
  const runs = targets.map(({ name, target }) => {
    const recorded = record(given, target);
    const cold = warm(recorded.run);
    const times = Math.max(1, Math.round(TURN / Math.max(cold.at(-1)!, 0.001)));
    return { name, recorded, cold, times, all: [] as number[] };
  });
  for (let turn = 0; turn < turns; turn++) for (const { recorded, times, all } of runs) all.push(timeOf(recorded.run, times));
  return runs.map(({ name, recorded, cold, all }) => {
    all.sort((a, b) => a - b);
    const [least] = all;
    const warming = cold.findIndex((time) => time <= 1.5 * least);
    return { name, least, median: all[all.length >> 1], first: recorded.first, warming, recorded };
  });
}
