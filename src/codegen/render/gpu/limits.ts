/**
 * @file What gpu.js cannot carry, in any of its modes: such kernels are refused, so that another backend runs them.
 */
import { fault, type EinstreamError } from '../../../errors/index.js';

/** Arrays that a WebGPU kernel may read: eight storage buffers, one of them the result. */
export const MOST_ARRAYS = 7;
/** Elements of a result. */
export const MOST_CELLS = 2 ** 22;
/** Addresses and integers are float32 numbers, exact up to here. */
export const LARGEST_INTEGER = 2 ** 24;

/** Why a kernel is refused, in words that a table of refusals may group by. */
export type Reason =
  | 'more than 7 inputs'
  | 'more than 2^22 outputs'
  | 'integers beyond 2^24'
  | 'more than 2^24 elements'
  | 'several results'
  | 'values that float32 cannot hold';

export const unable = (reason: Reason, rule: string, actual: string): EinstreamError =>
  fault('E_CODEGEN', { place: 'gpu', rule, expected: `not ${reason}`, actual, hint: 'the js or wasm backend can' });
