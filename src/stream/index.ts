/**
 * @file Streams: on demand, in windows of event time, in chunks.
 */
export * from './demand/index.js';
export * from './window/index.js';
export * from './chunk/index.js';
export type { Kept } from './kept.js';
