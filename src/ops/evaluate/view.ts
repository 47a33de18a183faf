/**
 * @file Views: the same buffer under another layout; packed first where only a copy can show it.
 */
import { numElements } from '../../tensor/shape.js';
import { Tensor, tensorOver } from '../../tensor/tensor.js';
import { arrayOf } from '../../tensor/dtype.js';
import { copyElements } from '../../tensor/tensor.js';
import type { AnyOp } from '../op.js';
import type { Job } from './job.js';

export function evaluateView({ inputs, params, op }: Job, view: NonNullable<AnyOp['view']>): Tensor {
  const input = inputs[0]!;
  return viewOf(input, view, params) ?? viewOf(packed(input), view, params) ?? impossible(op.name);
}

function viewOf(input: Tensor, view: NonNullable<AnyOp['view']>, params: Job['params']): Tensor | undefined {
  const layout = view(input, params);
  return layout && new Tensor(input.dtype, Object.freeze([...layout.shape]), layout.strides, layout.offset, numElements(layout.shape), input.buffer);
}

function packed(input: Tensor): Tensor {
  const array = new (arrayOf(input.dtype))(input.size);
  copyElements(input, array);
  return tensorOver(array, input.dtype, input.shape);
}

function impossible(name: string): never {
  throw new Error(`${name} has no layout even for a packed input`);
}
