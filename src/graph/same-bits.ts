/**
 * @file Whether two tensors are the same to the last bit.
 */
import { sameShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { bytesOf } from './base64.js';

/** Equal type, shape and bits: 0 is not −0, and a NaN is equal only to the same NaN. */
export function sameBits(a: Tensor, b: Tensor): boolean {
  if (a === b) return true;
  if (a.dtype !== b.dtype || !sameShape(a.shape, b.shape)) return false;
  const [x, y] = [bytesOf(a.data), bytesOf(b.data)];
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}
