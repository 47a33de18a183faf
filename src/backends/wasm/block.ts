/**
 * @file Which register block a matrix product takes here: what this engine's register allocation rewards.
 */
import { DEFAULT_BLOCK, type BlockShape } from '../../codegen/render/wasm/kernel.js';
import { keepsUnrolledSums } from './probe.js';

/**
 * The block for multiply-adds that round once (`isRelaxed`) or twice.
 *
 * Measured on V8 11, 13 and 14, products of 384, GFLOP/s on an x64 of 48 at most, as `npm run bench -- --sweep --blocks` does:
 *
 * | rows x vectors x unrolling | V8 11, once | V8 13, once | V8 14, once | V8 11, twice | V8 14, twice |
 * | --- | --- | --- | --- | --- | --- |
 * | 4x2x1 | 34 | 32 | 31 | 28 | 29 |
 * | 6x2x1 | 40 | 37 | 36 | 28 | 28 |
 * | 6x2x4 | 26 | 38 | 37 | 21 | 28 |
 * | 3x3x4 | 25 | 34 | 34 | 21 | 27 |
 *
 * Unrolling costs older engines a third. Six rows on V8 11 are quicker here, and a quarter slower on another maker's
 * processors, so that engine keeps to four.
 */
export const blockFor = (isRelaxed: boolean): BlockShape =>
  isRelaxed && keepsUnrolledSums() ? { rows: 6, vectors: 2, unroll: 4 } : DEFAULT_BLOCK;
