/**
 * @file What a kernel becomes for gpu.js: passes, each a function of flat arrays that computes one element a thread, or four.
 *
 * gpu.js takes source text, and keeps one compiled kernel for each text and length of arguments. Shapes, strides and bounds are
 * literals in the text; numbers that its parsers do not carry over exactly (infinities, NaN, very large, very small) are arguments.
 */
import type { Emitted } from '../../emitted.js';

/** An array that a pass reads: a window of an input, as it lies there, or what an earlier pass computed. */
export type GpuOperand =
  | {
      readonly of: 'input';
      readonly index: number;
      /** Of the first element and beyond the last, from the offset of the tensor. */
      readonly from: number;
      readonly to: number;
    }
  | { readonly of: 'pass'; readonly index: number; readonly length: number; readonly isTiled: boolean }
  /** All elements of the buffer that an input looks at. */
  | { readonly of: 'buffer'; readonly index: number; readonly length: number; readonly isTiled: boolean }
  /** All elements of the buffer that the output looks at, as they were before. */
  | { readonly of: 'before'; readonly length: number; readonly isTiled: boolean };

/** An input that lies on a device: its buffer's elements, and where among them the input begins. */
export interface Resident {
  readonly length: number;
  readonly offset: number;
  /** It was computed four elements a thread, which a device may store otherwise. */
  readonly isTiled: boolean;
}

/** By input; undefined for those that lie on the host. */
export type Residents = readonly (Resident | undefined)[];

export interface GpuPass {
  /** `function(a0,…,s0,…){…}`, for the element `this.thread.x` of the result, or four from four times that on. */
  readonly source: Emitted;
  /** Elements of the result. */
  readonly length: number;
  /** A thread computes four elements. */
  readonly isTiled: boolean;
  readonly arrays: readonly GpuOperand[];
  /** Values of the scalar arguments, which follow the arrays. */
  readonly scalars: readonly number[];
}

/** Where the elements of the last pass go, from the offset of the output: one behind the other, or by strides. */
export interface Placement {
  readonly offset: number;
  readonly extents: readonly number[];
  readonly strides: readonly number[];
  readonly isContiguous: boolean;
}

export interface GpuKernel {
  /** In order; none where the output has no element. */
  readonly passes: readonly GpuPass[];
  readonly placement: Placement;
  /** For a gather: elements of input 1 must be indices of an axis of this size. */
  readonly indexed: number | undefined;
}
