/**
 * @file What a WebAssembly renderer gives: a module for a structure, and the numbers that make it do one piece of work.
 *
 * Sizes and strides are words of a descriptor in memory, not literals, so that a stream whose batch size changes with
 * each frame compiles nothing new.
 */
import type { ModuleSource } from './module.js';

/** Sums that a matrix product keeps in registers: `rows` by `vectors` of 4 columns, `unroll` steps of k an iteration. */
export interface BlockShape {
  readonly rows: number;
  readonly vectors: number;
  readonly unroll: number;
}

/** Good on every engine; unrolling halves its speed on V8 11. */
export const DEFAULT_BLOCK: BlockShape = { rows: 4, vectors: 2, unroll: 1 };

/** What the engine that will run the code can do. */
export interface Target {
  /** Relaxed SIMD is there and allowed: multiply-add may round once. */
  readonly isRelaxed: boolean;
  /** What this engine's register allocation rewards; absent: `DEFAULT_BLOCK`. */
  readonly block?: BlockShape;
  readonly memory: ModuleSource['memory'];
}

/**
 * A kernel: export `run(descriptor: i32)`. The descriptor is a list of int32 words: the byte address of each input (its
 * first element, offsets applied), of the output, of `scratch` bytes of working memory, then `words`.
 */
export interface WasmKernel {
  /** Equal keys mean equal modules. Made of structure alone: ranks, dtypes, expressions, which strides are 0 or 1. */
  readonly key: string;
  readonly source: () => ModuleSource;
  /** Extents, strides and whatever else the code reads, behind the addresses. */
  readonly words: readonly number[];
  /** Bytes of working memory, aligned to 64; contents are undefined before and after. */
  readonly scratch: number;
}

/** The functions of JavaScript that a kernel may import from "env": float64 in, float64 out. */
export type ImportedName = string;
