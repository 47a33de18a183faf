/**
 * @file Streams: on demand, on workers, in windows of event time, in chunks, in batches.
 */
export * from './demand/index.js';
export * from './pool/index.js';
export * from './window/index.js';
export * from './chunk/index.js';
export * from './batch/index.js';
export type { Kept } from './kept.js';
