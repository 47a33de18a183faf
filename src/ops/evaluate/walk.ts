/**
 * @file Walks over elements: addresses of broadcast operands in row-major order of one shape.
 */
import type { Shape } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';

/** Strides of a tensor seen in a wider shape: 0 along every axis that stretches. */
export function broadcastStrides(tensor: Tensor, shape: Shape): readonly number[] {
  const lead = shape.length - tensor.shape.length;
  return shape.map((size, axis) =>
    axis < lead || (tensor.shape[axis - lead] === 1 && size !== 1) ? 0 : tensor.strides[axis - lead],
  );
}

/**
 * Calls `visit` once for each index of `shape`, in row-major order, with the address in each of several arrays.
 * `addresses` is one array, reused.
 */
export function walk(
  shape: Shape,
  strides: readonly (readonly number[])[],
  offsets: readonly number[],
  visit: (addresses: readonly number[], position: number) => void,
): void {
  const rank = shape.length;
  const total = shape.reduce((count, size) => count * size, 1);
  const index = new Array<number>(rank).fill(0);
  const addresses = [...offsets];
  for (let position = 0; position < total; position++) {
    visit(addresses, position);
    for (let axis = rank - 1; axis >= 0; axis--) {
      const wraps = ++index[axis] === shape[axis];
      for (let k = 0; k < addresses.length; k++) addresses[k] += strides[k][axis] * (wraps ? 1 - shape[axis] : 1);
      if (!wraps) break;
      index[axis] = 0;
    }
  }
}
