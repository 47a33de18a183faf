/**
 * @file What a checkpoint is: everything that a program needs to go on as if it had not stopped, as one value.
 */
import type { Kind } from './format/envelope.js';

/**
 * Named sections, each a plain value that may hold tensors anywhere: a source's position, the states of windows, parameters, what an
 * optimizer remembers, seeds and counters of random streams, and what is the program's own.
 */
export type Checkpoint = Readonly<Record<string, unknown>>;

export const CHECKPOINT: Kind = Object.freeze({ magic: 'einckpt\n', version: 1, name: 'a checkpoint', place: 'parseCheckpoint' });

/** Every limit is inclusive: the limit passes, one more is E_LIMIT, in writing as in reading. */
export interface CheckpointLimits {
  /** Bytes of the whole. Tensors take no more memory than that. */
  readonly bytes: number;
  readonly tensors: number;
  /** Values beside the tensors: numbers, texts, lists, records, as they are counted in writing. What is large is better a tensor. */
  readonly values: number;
}

/**
 * 4 GiB, 100,000 tensors, 1,000,000 values beside them.
 *
 * ```ts
 * CHECKPOINT_LIMITS.values // => 1000000
 * ```
 */
export const CHECKPOINT_LIMITS: CheckpointLimits = Object.freeze({ bytes: 2 ** 32, tensors: 100_000, values: 1_000_000 });
