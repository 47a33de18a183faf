/**
 * @file Elementwise ops: one nest over the output's axes, operands walked with stride 0 where they broadcast.
 */
import { rowMajorStrides, type Shape } from '../../tensor/shape.js';
import { s, type Scalar } from '../../ops/scalar.js';
import type { Access, NestIR, TensorType } from '../ir.js';
import type { Application } from '../lower.js';
import { simplify } from '../simplify.js';

/** Strides of `input` over `shape`, against which it broadcasts. */
export function broadcastStrides(input: TensorType, shape: Shape): readonly number[] {
  const lead = shape.length - input.shape.length;
  return shape.map((_, axis) => (axis < lead || input.shape[axis - lead] === 1 ? 0 : input.strides[axis - lead]));
}

export function lowerElementwise(
  { inputs, output }: Pick<Application, 'inputs' | 'output'>,
  rule: (...operands: Scalar[]) => Scalar,
  into: { readonly strides: readonly number[]; readonly offset: number } = { strides: rowMajorStrides(output.shape), offset: 0 },
): NestIR {
  const access = (input: TensorType): Access => ({
    dtype: input.dtype,
    strides: broadcastStrides(input, output.shape),
    offset: 0,
  });
  return simplify({
    kind: 'nest',
    extents: output.shape,
    outer: output.shape.length,
    inputs: inputs.map(access),
    folds: [],
    result: rule(...inputs.map((_, index) => s.operand(index))),
    emits: 'group',
    output: { dtype: output.dtype, ...into },
  });
}
