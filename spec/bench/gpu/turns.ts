/**
 * @file Jobs that answer later, taking turns: the least and the median of what each says that it took.
 */

export interface Job {
  readonly name: string;
  /** Does its work once, and gives milliseconds. */
  readonly turn: () => Promise<number>;
}

export interface Times {
  readonly least: number;
  readonly median: number;
}

/** The first turn, in which all is compiled, does not count. */
export async function takingTurns(jobs: readonly Job[], turns: number): Promise<ReadonlyMap<string, Times>> {
  const all = new Map(jobs.map(({ name }): [string, number[]] => [name, []]));
  for (const { turn } of jobs) await turn();
  for (let at = 0; at < turns; at++) for (const { name, turn } of jobs) all.get(name)!.push(await turn());
  return new Map(
    [...all].map(([name, times]) => {
      times.sort((a, b) => a - b);
      return [name, { least: times[0], median: times[times.length >> 1] }];
    }),
  );
}

/** Milliseconds that the work took, each of `count` times. */
export async function timed(count: number, work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < count; at++) await work();
  return (performance.now() - start) / count;
}
