/**
 * @file Elementwise evaluation: broadcast, compute in float64, round on store.
 */
import { allocateTensor, type Tensor } from '../../tensor/tensor.js';
import type { ScalarRule } from '../op.js';
import { s } from '../scalar.js';
import { elementsOf } from './elements.js';
import type { Job } from './job.js';
import { evaluateScalar } from './scalar.js';
import { store } from './store.js';
import { broadcastStrides, walk } from './walk.js';

export function evaluateElementwise({ inputs, dtype, shape }: Job, rule: ScalarRule): Tensor {
  const term = rule(s.operand(0), s.operand(1), s.operand(2));
  const output = allocateTensor(shape, dtype);
  const arrays = inputs.map(elementsOf);
  const values = new Array<number>(inputs.length);
  walk(
    shape,
    inputs.map((input) => broadcastStrides(input, shape)),
    inputs.map((input) => input.offset),
    (addresses, position) => {
      for (let k = 0; k < arrays.length; k++) values[k] = arrays[k]![addresses[k]!]!;
      store(output.buffer.array, dtype, position, evaluateScalar(term, values, [], 0, 1, dtype));
    },
  );
  return output;
}
