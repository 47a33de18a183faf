/**
 * @file Streams: on demand, and in windows of event time.
 */
export * from './demand/index.js';
export * from './window/index.js';
export type { Kept } from './kept.js';
