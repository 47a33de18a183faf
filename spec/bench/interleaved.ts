/**
 * @file Timing that survives a shared machine: workloads take turns, and medians of their turns are compared.
 */
import { Bench } from 'tinybench';
import type { Workload } from './workloads.js';

export interface Measured {
  readonly name: string;
  /** Median over the turns of the median time of one event. */
  readonly nanoseconds: number;
  readonly perSecond: number;
}

/** Checks every workload, then lets them take `turns` turns of `milliseconds` each. */
export async function interleaved(
  workloads: readonly Workload[],
  turns: number,
  milliseconds: number,
  tell: (done: number, total: number) => void,
): Promise<readonly Measured[]> {
  for (const { check } of workloads) check();
  const medians = workloads.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [k, { name, round, events }] of workloads.entries()) {
      const bench = new Bench({ time: milliseconds, warmupTime: turn === 0 ? milliseconds * 3 : milliseconds / 4 });
      bench.add(name, round);
      await bench.run();
      const { result } = bench.tasks[0];
      if (result.state !== 'completed')
        throw new Error(`${name}: ${result.state}`, { cause: 'error' in result ? result.error : undefined });
      medians[k].push((result.latency.p50 * 1e6) / events);
      tell(turn * workloads.length + k + 1, turns * workloads.length);
    }
  }
  for (const { check } of workloads) check();
  return workloads.map(({ name }, k) => {
    const nanoseconds = medians[k].sort((x, y) => x - y)[medians[k].length >> 1];
    return { name, nanoseconds, perSecond: 1e9 / nanoseconds };
  });
}
