/**
 * @file How many times faster a compiled graph is than the graph as it was given, by a clock.
 */
import { ignoreElements, lastValueFrom, of } from 'rxjs';
import { fault } from '../../errors/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import { compiledOf, type CompiledGraph } from '../compiled.js';
import type { Feeds } from '../feeds.js';
import type { RunOptions } from '../options.js';
import { run } from '../run.js';

/** How `measureSpeedup` measures. */
export interface MeasureOptions {
  /** Milliseconds; `performance.now` by default. */
  readonly clock?: () => number;
  /** Runs of each that count, after one that does not; 5 by default, an integer ≥ 1. */
  readonly runs?: number;
  readonly backend?: RunOptions['backend'];
}

/** Milliseconds of a run, and how many times the compiled graph is faster. */
export interface MeasuredSpeedup {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** 1 where neither takes any time by the clock. */
  readonly speedup: number;
}

/**
 * Runs the graph as it was given and the compiled one in turns, and compares medians: `statistics.estimatedSpeedup` is what the
 * costs say, this is what a clock says. Outputs are borrowed: to copy them takes as long in both, and often longer than the kernels.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(neg(x)) }));
 * let now = 0;
 * measureSpeedup(compile(g), { x: [1, 2] }, { clock: () => now++ }).then(({ speedup }) => speedup) // => 1
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what is no compiled graph, or for `runs` that is no integer ≥ 1; rejects with what a run
 *   fails with
 */
export async function measureSpeedup<I extends Names, O extends Names>(
  compiled: CompiledGraph<I, O>,
  feeds: Feeds<I>,
  { clock = () => performance.now(), runs = 5, backend }: MeasureOptions = {},
): Promise<MeasuredSpeedup> {
  if (compiledOf(compiled) === undefined)
    throw fault('E_ARGUMENT', { place: 'measureSpeedup', rule: 'it measures what compile(graph) or parseCompiled(text) gave' });
  if (!Number.isSafeInteger(runs) || runs < 1)
    throw fault('E_ARGUMENT', { place: 'runs', rule: 'it is an integer ≥ 1', actual: String(runs) });
  const by = backend ?? compiled.backend;
  const options = by === undefined ? {} : { backend: by };
  const timeOf = async (graph: Graph<I, O>, own: RunOptions): Promise<number> => {
    const done$ = of(feeds).pipe(run(graph, { ...own, outputs: 'borrow' }), ignoreElements());
    const start = clock();
    await lastValueFrom(done$, { defaultValue: undefined });
    return clock() - start;
  };
  const [before, after]: [number[], number[]] = [[], []];
  for (let at = 0; at <= runs; at++) {
    before.push(await timeOf(compiled.source, { ...options, level: 'none' }));
    after.push(await timeOf(compiled, options));
  }
  // The first run of each compiles kernels.
  const [beforeMs, afterMs] = [median(before.slice(1)), median(after.slice(1))];
  return { beforeMs, afterMs, speedup: beforeMs === afterMs ? 1 : beforeMs / afterMs };
}

const median = (times: readonly number[]): number => {
  const sorted = [...times].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
