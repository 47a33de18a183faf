/**
 * @file The same elements under other strides: for readers that were made for those.
 */
import { extent, forEachRun } from './layout.js';
import { allocateArray, packed, Tensor } from './tensor.js';

/** A copy whose elements lie by `strides`, none of which repeats elements. */
export function relaid(tensor: Tensor, strides: readonly number[]): Tensor {
  const { dtype, shape, size } = tensor;
  const { from, to } = extent({ shape, strides, offset: 0 });
  const array = allocateArray(to - from, dtype) as Float64Array;
  const elements = packed(tensor) as Float64Array;
  forEachRun({ shape, strides, offset: -from }, size, (address, stride, length, position) => {
    for (let i = position, end = i + length; i < end; i++, address += stride) array[address] = elements[i];
  });
  return new Tensor(dtype, shape, strides, -from, size, { array, retired: false });
}
