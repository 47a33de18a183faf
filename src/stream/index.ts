/**
 * @file Streams: on demand, on workers, in windows of event time, in chunks, in batches, and over the end of a process.
 */
export * from './demand/index.js';
export * from './pool/index.js';
export * from './window/index.js';
export * from './chunk/index.js';
export * from './batch/index.js';
export * from './schedule/index.js';
export * from './checkpoint/index.js';
export type { Kept } from './kept.js';
