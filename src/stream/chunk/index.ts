/**
 * @file Streams in chunks of rows.
 */
export { chunk } from './chunk.js';
export type { Chunk, ChunkMetadata, ChunkState } from './chunker.js';
export type { ChunkMode } from './mode.js';
export { adaptiveSize, type ChunkTime } from './adaptive-size.js';
export { mergeResults, splitBatch } from './rows.js';
export { runChunk, runChunks, type RunChunksOptions, type StreamResult } from './run-chunks.js';
export { runStream, type StreamingConfig } from './run-stream.js';
