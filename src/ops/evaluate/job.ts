/**
 * @file One application of an op, all of it known: what each kind of evaluation receives.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import type { Shape } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { AnyOp, Params } from '../op.js';

/** A tensor whose elements can be computed with. */
export type ComputedTensor = Tensor & { readonly dtype: ComputedDType };

export interface Job {
  readonly op: AnyOp;
  readonly inputs: readonly ComputedTensor[];
  readonly params: Params;
  /** Of the result. */
  readonly dtype: ComputedDType;
  readonly shape: Shape;
}
