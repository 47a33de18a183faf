/**
 * @file The loop IR: what a kernel does, once shapes and strides are numbers.
 *
 * One form covers elementwise maps, reductions, softmax and contractions: nested loops over `extents`, some
 * of them folded, and scalar expressions for what is folded and what is written. Renderers read nothing else.
 */
import type { ComputedDType } from '../tensor/dtype.js';
import type { Monoid } from '../ops/op.js';
import type { Scalar } from '../ops/scalar.js';

/** How one tensor is walked: a stride for each axis of the nest, and an offset beyond the tensor's own. */
export interface Access {
  readonly dtype: ComputedDType;
  readonly strides: readonly number[];
  readonly offset: number;
}

export interface NestFold {
  readonly monoid: Monoid;
  readonly value: Scalar;
  /** What later terms read in its place, from this fold and earlier ones: rounded, and computed once for each outer index. */
  readonly finish?: Scalar;
}

/** Loops over `extents`; the first `outer` axes are written, the others folded. */
export interface NestIR {
  readonly kind: 'nest';
  readonly extents: readonly number[];
  readonly outer: number;
  readonly inputs: readonly Access[];
  readonly folds: readonly NestFold[];
  readonly result: Scalar;
  /** `group`: one result for each outer index. `element`: one for each index of all axes. */
  readonly emits: 'group' | 'element';
  readonly output: Access;
}

/** out[…before, …chosen, …after] = data[…before, index[…chosen], …after]; indices count from the end when negative. */
export interface GatherIR {
  readonly kind: 'gather';
  readonly extents: readonly number[];
  /** Strides of the data over `extents`; 0 on the chosen axes. */
  readonly data: Access;
  /** Strides of the indices over `extents`; 0 elsewhere. */
  readonly index: Access;
  /** Stride and size of the gathered axis in the data. */
  readonly step: number;
  readonly size: number;
  readonly output: Access;
}

/** What a backend compiles: one kernel as loops and scalar expressions, with every shape and stride a number. */
export type KernelIR = NestIR | GatherIR;

/** What a renderer must know of a tensor: everything but its buffer. */
export interface TensorType {
  readonly dtype: ComputedDType;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** How each tensor is walked: those that are read, then the one that is written. */
export const accessesOf = (ir: KernelIR): readonly Access[] =>
  ir.kind === 'gather' ? [ir.data, ir.index, ir.output] : [...ir.inputs, ir.output];
