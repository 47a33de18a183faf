/**
 * @file Concatenation, padding, stacking: inputs copied into parts of the output, the rest filled.
 */
import { rowMajorStrides } from '../../tensor/shape.js';
import { allocateTensor, liveArray, type Tensor } from '../../tensor/tensor.js';
import type { Piece } from '../op.js';
import type { Job } from './job.js';
import { roundTo, store } from './store.js';
import { walk } from './walk.js';

export function evaluatePieces(
  { inputs, dtype, shape }: Job,
  { fill, pieces }: { readonly fill: number; readonly pieces: readonly Piece[] },
): Tensor {
  const output = allocateTensor(shape, dtype);
  const target = output.buffer.array;
  const rest = roundTo(dtype, fill);
  // −0 is not what a new array holds.
  if (!Object.is(rest, 0)) (target as Float64Array).fill(rest);
  const strides = rowMajorStrides(shape);
  for (const piece of pieces) {
    const input = inputs[piece.input];
    const source = liveArray(input) as ArrayLike<number>;
    const start = piece.start.reduce((at, index, axis) => at + index * strides[axis], 0);
    // Shapes align at the right, so that an input without the output's leading axes (stack) fits as it is.
    const steps = piece.strides ?? strides.slice(shape.length - input.shape.length);
    walk(input.shape, [input.strides, steps], [input.offset, start], ([from, to]) => store(target, dtype, to, source[from]));
  }
  return output;
}
