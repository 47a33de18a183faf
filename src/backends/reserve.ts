/**
 * @file One ordinary array of bytes that tensors of a frame lie in.
 */
import { arrayOf, type DType, type TypedArray } from '../tensor/dtype.js';
import { numElements, rowMajorStrides, type Shape } from '../tensor/shape.js';
import type { MemoryPool } from '../plan/memory-pool.js';
import { allocateArray, Tensor, type Buffer } from '../tensor/tensor.js';
import type { Reserve } from './backend.js';

type ArrayAt = new (buffer: ArrayBufferLike, at: number, length: number) => TypedArray;

/** A tensor whose elements begin at a byte address of a buffer. */
export function tensorAt(whole: ArrayBufferLike, address: number, shape: Shape, dtype: DType): Tensor {
  const size = numElements(shape);
  const array = new (arrayOf(dtype) as unknown as ArrayAt)(whole, address, size);
  return new Tensor(dtype, shape, rowMajorStrides(shape), 0, size, { array, retired: false });
}

/** @throws EinstreamError E_OOM when the memory cannot be had */
export function reserveArray(bytes: number): Reserve {
  const { buffer } = allocateArray(bytes, 'uint8');
  return { tensorAt: (offset, shape, dtype) => tensorAt(buffer, offset, shape, dtype), release: () => undefined };
}

/**
 * The same in memory of a pool, which has it back with the release.
 *
 * @throws EinstreamError E_OOM when the memory cannot be had
 */
export function reserveFrom(pool: MemoryPool, bytes: number): Reserve {
  const whole = pool.allocate([bytes], 'uint8');
  const lent: Buffer[] = [];
  return {
    tensorAt(offset, shape, dtype) {
      const tensor = tensorAt(whole.buffer.array.buffer, offset, shape, dtype);
      lent.push(tensor.buffer);
      return tensor;
    },
    release() {
      for (const buffer of lent) buffer.retired = true;
      pool.deallocate(whole);
    },
  };
}
