/**
 * @file Streams: on demand.
 */
export * from './demand/index.js';
export * from './pool/index.js';
