/**
 * @file `runBatch`: a graph on a list of feeds.
 */
import { from, lastValueFrom, toArray } from 'rxjs';
import { describeValue, fault } from '../../errors/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import type { Feeds, Outputs } from '../../run/feeds.js';
import { parallel, type ParallelOptions } from './parallel.js';

/** An item that failed. */
export interface BatchFailure {
  readonly index: number;
  readonly error: unknown;
}

/** What came of a batch; iterates over `outputs`. */
export interface BatchResult<O extends Names = Names> extends Iterable<Outputs<O> | undefined> {
  /** One for each item, in order; undefined where it failed. */
  readonly outputs: readonly (Outputs<O> | undefined)[];
  readonly length: number;
  readonly isEmpty: boolean;
  readonly totalTimeMs: number;
  /** One for each item. Of those that ran at once the sum is more than the total. */
  readonly itemTimesMs: readonly number[];
  readonly failures: readonly BatchFailure[];
}

/**
 * Runs a graph on each of a list of feeds: N results as of N runs, in order. An item that fails is in `failures`, and the others go on,
 * unless `failFast`. One at a time, unless `concurrency` says otherwise.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(x) }));
 * const { outputs, failures } = await runBatch(g, [{ x: [1, 2] }, { x: [1] }, { x: [3, 4] }]);
 * outputs.map((each) => each?.y.toArray()); // => [3, undefined, 7]
 * failures.map(({ index, error }) => [index, error.code]); // => [[1, 'E_FEED']]
 * ```
 *
 * @returns a promise that rejects with E_ARGUMENT for wrong options, and with the first failure when `failFast`
 */
export async function runBatch<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  feeds: readonly Feeds<I>[],
  options: ParallelOptions = {},
): Promise<BatchResult<O>> {
  if (!Array.isArray(feeds))
    throw fault('E_ARGUMENT', { place: 'runBatch', rule: 'a batch is a list of feeds', actual: describeValue(feeds) });
  const { clock = () => performance.now() } = options;
  const operator = parallel(graph, { ...options, concurrency: options.concurrency ?? 1 });
  const start = clock();
  const items = await lastValueFrom(from(feeds as readonly Feeds<I>[]).pipe(operator, toArray()));
  const outputs = Object.freeze(items.map((item) => item.outputs));
  return Object.freeze({
    outputs,
    length: items.length,
    isEmpty: items.length === 0,
    totalTimeMs: Math.max(0, clock() - start),
    itemTimesMs: Object.freeze(items.map(({ timeMs }) => timeMs)),
    failures: Object.freeze(items.filter((item) => item.outputs === undefined).map(({ index, error }) => ({ index, error }))), // prettier-ignore
    [Symbol.iterator]: () => outputs[Symbol.iterator](),
  });
}
