/**
 * @file Results kept for a second time: what users call.
 */
export { cached } from './cached.js';
export { tensorCache, type TensorCache, type TensorCacheOptions, type TensorCacheStats } from './tensor-cache.js';
export type { EvictionPolicy } from './order.js';
export type { CacheCounts } from './bounded.js';
