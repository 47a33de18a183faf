/**
 * @file Views: the same buffer under another layout; packed first where only a copy can show it.
 */
import { packed, tensorOver, type Tensor } from '../../tensor/tensor.js';
import { sameShape, type Shape } from '../../tensor/shape.js';
import { viewOf } from '../../tensor/view/views.js';
import type { AnyOp } from '../op.js';
import type { Job } from './job.js';

export function evaluateView({ inputs, params, op, shape }: Job, view: NonNullable<AnyOp['view']>): Tensor {
  const [input] = inputs;
  const shapes = inputs.map((each) => each.shape);
  const layout = view(input, params, shapes);
  if (layout !== undefined) return shaped(viewOf(input, layout), shape);
  const copy = tensorOver(packed(input), input.dtype, input.shape);
  const second = view(copy, params, shapes);
  if (second === undefined) throw new Error(`${op.name} has no layout even for a packed input`);
  return shaped(viewOf(copy, second), shape);
}

/** A layout over other axes than the result's gives its elements in row-major order (tile, repeat). */
const shaped = (seen: Tensor, shape: Shape): Tensor =>
  sameShape(seen.shape, shape) ? seen : tensorOver(packed(seen), seen.dtype, shape);
