/**
 * @file Elementwise evaluation: broadcast, compute in float64, round on store.
 */
import { allocateTensor, liveArray, type Tensor } from '../../tensor/tensor.js';
import type { ScalarRule } from '../op.js';
import { s, type Scalar } from '../scalar.js';
import type { Job } from './job.js';
import { meaningOf } from './scalar.js';
import { store } from './store.js';
import { broadcastStrides, walk } from './walk.js';

/** A rule may read fewer operands than there are, so any number may be passed. */
type AnyRule = (...operands: readonly Scalar[]) => Scalar;

export function evaluateElementwise({ inputs, dtype, shape }: Job, rule: ScalarRule): Tensor {
  const anyRule: AnyRule = rule;
  const operands = inputs.map((_, index) => s.operand(index));
  const meaning = meaningOf(anyRule(...operands), dtype);
  const output = allocateTensor(shape, dtype);
  const arrays = inputs.map((input) => liveArray(input) as ArrayLike<number>);
  const values = new Array<number>(inputs.length);
  walk(
    shape,
    inputs.map((input) => broadcastStrides(input, shape)),
    inputs.map((input) => input.offset),
    (addresses, position) => {
      for (let k = 0; k < arrays.length; k++) values[k] = arrays[k][addresses[k]]!;
      store(output.buffer.array, dtype, position, meaning(values, [], 0, 1));
    },
  );
  return output;
}
