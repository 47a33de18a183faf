/**
 * @file Which register block a matrix product takes here: what this engine's register allocation rewards.
 */
import { DEFAULT_BLOCK, type BlockShape } from '../../codegen/render/wasm/kernel.js';
import { keepsUnrolledSums } from './probe.js';

/**
 * The block for multiply-adds that round once (`isRelaxed`) or twice.
 *
 * Measured on V8 11 to 13: unrolling halves the speed of older ones, and gains a sixth on newer ones with one rounding.
 */
export const blockFor = (isRelaxed: boolean): BlockShape =>
  isRelaxed && keepsUnrolledSums() ? { rows: 6, vectors: 2, unroll: 4 } : DEFAULT_BLOCK;
