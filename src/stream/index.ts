/**
 * @file Streams: on demand.
 */
export * from './demand/index.js';
