/**
 * @file Kernels alone, by the processor's time: workloads take turns, as other processes disturb some turns and not others.
 */
import type { Target } from '../../../src/codegen/render/wasm/kernel.js';
import type { Case } from './cases.js';
import { record } from './recorded.js';

/** Milliseconds of the processor for all kernels of a case. */
export interface Timed {
  readonly name: string;
  readonly least: number;
  readonly median: number;
}

/** Milliseconds that a turn lasts at least: the processor's clock counts in microseconds. */
const TURN = 20;

const timeOf = (run: () => void, times: number): number => {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / times;
};

/** Runs until the engine has compiled what runs often, and says how many runs fill a turn. */
function warm(run: () => void): number {
  const end = performance.now() + 250;
  let runs = 0;
  do {
    run();
    runs++;
  } while (performance.now() < end || runs < 3);
  const one = timeOf(run, 1);
  return Math.max(1, Math.round(TURN / Math.max(one, 0.001)));
}

/** One case for several targets, interleaved. Every result is checked before it is timed. */
export function timeCase(
  given: Case,
  targets: readonly { readonly name: string; readonly target: Target }[],
  turns: number,
): readonly Timed[] {
  const runs = targets.map(({ name, target }) => {
    const { run } = record(given, target);
    return { name, run, times: warm(run), all: [] as number[] };
  });
  for (let turn = 0; turn < turns; turn++) for (const { run, times, all } of runs) all.push(timeOf(run, times));
  return runs.map(({ name, all }) => {
    all.sort((a, b) => a - b);
    return { name, least: all[0], median: all[all.length >> 1] };
  });
}
