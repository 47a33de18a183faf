/**
 * @file Views: the same buffer under another layout; packed first where only a copy can show it.
 */
import { packed, tensorOver, type Tensor } from '../../tensor/tensor.js';
import { viewOf } from '../../tensor/view/views.js';
import type { AnyOp } from '../op.js';
import type { Job } from './job.js';

export function evaluateView({ inputs, params, op }: Job, view: NonNullable<AnyOp['view']>): Tensor {
  const input = inputs[0]!;
  const layout = view(input, params);
  if (layout !== undefined) return viewOf(input, layout);
  const copy = tensorOver(packed(input), input.dtype, input.shape);
  const second = view(copy, params);
  if (second === undefined) throw new Error(`${op.name} has no layout even for a packed input`);
  return viewOf(copy, second);
}
