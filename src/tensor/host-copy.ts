/**
 * @file A tensor's elements in an ordinary array of their own.
 */
import { allocateTensor, copyElements, type Tensor } from './tensor.js';

/** Row-major, and nobody else's: it stays as it is whatever becomes of the original's memory. */
export function hostCopy(tensor: Tensor): Tensor {
  const copy = allocateTensor(tensor.shape, tensor.dtype);
  copyElements(tensor, copy.buffer.array);
  return copy;
}
