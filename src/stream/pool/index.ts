export { executorPool, type AskOptions, type ExecutorPool } from './pool.js';
export { balance, type BalanceOptions, type GraphExecutor } from './balance.js';
export { evaluateBatch, type BatchOptions } from './evaluate-batch.js';
export type { CommonPoolOptions, PoolOptions } from './options.js';
export type { PoolRetry } from './backoff.js';
export type { PoolStats, WorkerStats } from './ledger.js';
