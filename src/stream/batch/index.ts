/**
 * @file Batches of independent items.
 */
export { runBatch, type BatchFailure, type BatchResult } from './run-batch.js';
export { parallel, type ParallelOptions, type Runner } from './parallel.js';
export type { ItemResult } from './item.js';
export { vectorized, type VectorizedOptions } from './vectorized.js';
export { optimalBatchSize, type BatchSizeOptions } from './optimal-batch-size.js';
