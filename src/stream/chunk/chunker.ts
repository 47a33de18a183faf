/**
 * @file Rows become chunks: where each ends, and what is known of it.
 */
import { fault, describeValue } from '../../errors/index.js';
import type { Feeds } from '../../run/feeds.js';
import { consumerFailed } from '../demand/failures.js';
import { bytesOf } from '../demand/size-of.js';
import { wrongState } from '../window/timed.js';
import { adaptiveSize, REMEMBERED, type ChunkTime } from './adaptive-size.js';
import type { ChunkMode } from './mode.js';
import { stackRows } from './rows.js';

/** Where a chunk is in its stream. */
export interface ChunkMetadata {
  /** Counts from 0. */
  readonly chunkId: number;
  /** Of its first row, counted from 0. */
  readonly startIdx: number;
  /** Of the row behind its last one. */
  readonly endIdx: number;
  /** Rows. */
  readonly size: number;
  /** True for the last chunk of a stream, and for no other one. */
  readonly isLast: boolean;
}

/** Rows of a stream, stacked along axis 0. */
export interface Chunk {
  readonly feeds: Feeds;
  readonly metadata: ChunkMetadata;
  /** Says how long its work took, by which `adaptive` goes on. `runChunks` calls it. */
  readonly took: (ms: number) => void;
}

/** What `chunk` and `runStream` remember. */
export interface ChunkState {
  /** Of the next chunk. */
  readonly chunkId: number;
  /** Of its first row. */
  readonly startIdx: number;
  /** Rows that are in no chunk yet. */
  readonly rows: readonly Feeds[];
  /** How long the last chunks took. */
  readonly history: readonly ChunkTime[];
}

export interface Chunker {
  /** The chunk that ends before this row, if one does: only then it is known not to be the last. */
  readonly add: (row: Feeds) => Chunk | undefined;
  /** The last chunk, if there is a row. */
  readonly end: () => Chunk | undefined;
  readonly read: () => ChunkState;
}

const START: ChunkState = { chunkId: 0, startIdx: 0, rows: [], history: [] };

export function chunker(mode: ChunkMode, from: ChunkState = START): Chunker {
  let { chunkId, startIdx, rows, history } = { ...from, rows: [...from.rows] };
  const sizeOf = typeof mode === 'object' && 'bytes' in mode ? sizing(mode.sizeOf) : () => 0;
  let bytes = rows.reduce((sum, row, position) => sum + sizeOf(row, position), 0);

  const isFull = (next: Feeds): boolean => {
    if (mode === 'none' || rows.length === 0) return false;
    if ('count' in mode) return rows.length >= mode.count;
    if ('bytes' in mode) return bytes + sizeOf(next, rows.length) > mode.bytes;
    return rows.length >= adaptiveSize(history, mode.adaptive);
  };
  const close = (isLast: boolean): Chunk => {
    const size = rows.length;
    const metadata = Object.freeze({ chunkId, startIdx, endIdx: startIdx + size, size, isLast });
    const feeds = stackRows(rows);
    chunkId++;
    startIdx += size;
    [rows, bytes] = [[], 0];
    return { feeds, metadata, took: (ms) => void (history = [...history, { size, ms }].slice(-REMEMBERED)) };
  };
  return {
    add(row) {
      if (typeof row !== 'object' || row === null)
        throw fault('E_FEED', { place: 'chunk', rule: 'a row is an object of values by input name', actual: describeValue(row) });
      const chunk = isFull(row) ? close(false) : undefined;
      bytes += sizeOf(row, rows.length);
      rows.push(row);
      return chunk;
    },
    end: () => (rows.length === 0 ? undefined : close(true)),
    read: () => Object.freeze({ chunkId, startIdx, rows: Object.freeze([...rows]), history: Object.freeze([...history]) }),
  };
}

function sizing(sizeOf: ((row: Feeds, position: number) => number) | undefined): (row: Feeds, position: number) => number {
  if (sizeOf === undefined) return (row) => bytesOf(row);
  return (row, position) => {
    let size: unknown;
    try {
      size = sizeOf(row, position);
    } catch (error) {
      throw consumerFailed('sizeOf', error);
    }
    if (typeof size === 'number' && size >= 0) return size;
    throw fault('E_CONSUMER', { place: 'sizeOf', rule: 'sizeOf gives bytes, a number ≥ 0', actual: describeValue(size) });
  };
}

/** @throws EinstreamError E_ARGUMENT for what is no state of chunks */
export function checkChunkState(place: string, from: ChunkState | undefined): void {
  if (from === undefined) return;
  const isState =
    Number.isSafeInteger(from?.chunkId) && Number.isSafeInteger(from.startIdx) && Array.isArray(from.rows) && Array.isArray(from.history); // prettier-ignore
  if (!isState) throw wrongState(place, 'a state has a chunk, its first row, rows and a history', '{ chunkId, startIdx, rows, history }', describeValue(from)); // prettier-ignore
}
