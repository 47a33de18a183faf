/**
 * @file Where checkpoints are kept: bytes by id, and a store in memory.
 */
import type { Eventually } from './eventually.js';

/**
 * A place for checkpoints. `memoryStore()` is one, `directoryStore(path)` of `einstream/node` another; bring your own for a database.
 * Answers may come at once or as promises.
 */
export interface CheckpointStore {
  /** Ids of what is there, the oldest first. */
  list(): Eventually<readonly string[]>;
  /** Keeps the bytes under a new id, which no other had or will have: whole and for good, or not at all. */
  write(bytes: Uint8Array): Eventually<string>;
  /** The bytes of an id, or undefined where there are none (any more). E_LIMIT for more than `most` bytes, before they are read. */
  read(id: string, most: number): Eventually<Uint8Array | undefined>;
  /** An id that is gone already is no fault. */
  remove(id: string): Eventually<void>;
}
