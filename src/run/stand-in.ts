/**
 * @file A tensor in type only: plans are made of it before there are feeds.
 */
import type { ValueType } from '../graph/infer.js';
import { isStatic } from '../ops/dims.js';
import { numElements, rowMajorStrides } from '../tensor/shape.js';
import { Tensor } from '../tensor/tensor.js';

/** A tensor of this type whose elements nobody reads; undefined where the type is not known in full. */
export function standIn(type: Partial<ValueType> | undefined): Tensor | undefined {
  const { dims, dtype } = type ?? {};
  if (dims === undefined || dtype === undefined || !isStatic(dims)) return undefined;
  return new Tensor(dtype, dims, rowMajorStrides(dims), 0, numElements(dims), { array: new Float32Array(0), retired: false });
}
