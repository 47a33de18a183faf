/**
 * @file einstream/worker: the side of a pool's worker, for scripts of one's own.
 */
export { poolWorker, type PoolWorkerOptions } from './stream/pool/worker/serve.js';
