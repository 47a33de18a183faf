/**
 * @file Elements of one tensor along an axis, chosen by the integers of another (NumPy's take).
 */
import { fault } from '../../errors/index.js';
import { allocateTensor, liveArray, type Tensor } from '../../tensor/tensor.js';
import type { ComputedTensor, Job } from './job.js';
import { store } from './store.js';
import { walk } from './walk.js';

/** Result axes: those of the input before `axis`, those of the indices, those of the input after it. */
export function evaluateGather({ op, inputs, dtype, shape }: Job, { axis }: { readonly axis: number }): Tensor {
  const [input, indices] = inputs as [ComputedTensor, ComputedTensor];
  const output = allocateTensor(shape, dtype);
  const [source, chosen] = [liveArray(input), liveArray(indices)] as [ArrayLike<number>, ArrayLike<number>];
  const size = input.shape[axis];
  const step = input.strides[axis];
  const [before, after] = [input.strides.slice(0, axis), input.strides.slice(axis + 1)];
  const none = indices.shape.map(() => 0);
  const strides = [
    [...before, ...none, ...after],
    [...before.map(() => 0), ...indices.strides, ...after.map(() => 0)],
  ];
  walk(shape, strides, [input.offset, indices.offset], ([from, at], position) => {
    const index = chosen[at];
    if (!Number.isInteger(index) || index < -size || index >= size) {
      throw fault('E_SHAPE', {
        op: op.name,
        rule: `an index must lie within axis ${axis}`,
        expected: `an integer from ${-size} to ${size - 1}`,
        actual: String(index),
      });
    }
    store(output.buffer.array, dtype, position, source[from + (index < 0 ? index + size : index) * step]);
  });
  return output;
}
