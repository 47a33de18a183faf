/**
 * @file Batches under the seed's names: `runBatch` and `optimalBatchSize`.
 */
import { environment } from '../backends/index.js';
import type { Graph, Names } from '../graph/graph.js';
import type { Feeds, RunOptions } from '../run/index.js';
import { optimalBatchSize, runBatch, type BatchResult, type BatchSizeOptions, type ParallelOptions } from '../stream/index.js';

/** Many feeds, one result. What is wrong with options rejects the promise. */
export interface BatchMethods {
  /** One after the other. See `runBatch`. */
  executeBatch<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    feeds: readonly Feeds<I>[],
    options?: Pick<ParallelOptions, 'failFast' | 'clock'>,
  ): Promise<BatchResult<O>>;
  /** Several at once, by default as many as there are processors; `over` a pool they are on its workers. See `runBatch`. */
  executeBatchParallel<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    feeds: readonly Feeds<I>[],
    options?: Omit<ParallelOptions, 'run'>,
  ): Promise<BatchResult<O>>;
  /** Measured, with the backend of the executor. See `optimalBatchSize`. */
  optimalBatchSize<I extends Names>(graph: Graph<I>, options?: Omit<BatchSizeOptions<Feeds<I>>, 'run'>): Promise<number>;
}

export const batchMethods = (settings: RunOptions): BatchMethods => ({
  executeBatch: (graph, feeds, options) => runBatch(graph, feeds, { ...options, run: settings }),
  executeBatchParallel: (graph, feeds, options = {}) =>
    runBatch(graph, feeds, {
      concurrency: environment().threads,
      ...options,
      ...(options.over === undefined ? { run: settings } : {}),
    }),
  // Hooks hear of executions, and measuring is none.
  optimalBatchSize: (graph, options) => optimalBatchSize(graph, { ...options, run: { ...settings, context: undefined } }),
});
