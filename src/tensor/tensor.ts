/**
 * @file The tensor: an immutable handle of dtype, shape, strides and offset over a buffer that views share.
 */
import { fault } from '../errors/index.js';
import { arrayOf, type DType, type TypedArray } from './dtype.js';
import { forEachRun, isRowMajor } from './layout.js';
import { nest, type NestedArray } from './nested.js';
import { formatShape, numElements, rowMajorStrides, type Shape } from './shape.js';

export { isRowMajor } from './layout.js';
export type { NestedArray } from './nested.js';

/** The memory behind one or more tensors. `retired` is set when a borrowed frame ends. */
export interface Buffer {
  readonly array: TypedArray;
  retired: boolean;
}

/**
 * An immutable multi-dimensional array. Views (`slice`, `transpose`, …) share the buffer.
 *
 * `data` is row-major; it is the buffer itself where the tensor is contiguous and fills it, a copy where it is
 * not contiguous. Writing to it is on the writer: all views of the buffer see it.
 *
 * ```ts
 * tensor([[1, 2], [3, 4]]).shape // => [2, 2]
 * tensor([[1, 2], [3, 4]]).toArray() // => [[1, 2], [3, 4]]
 * ```
 */
export class Tensor {
  readonly dtype: DType;
  readonly shape: Shape;
  /** In elements, one an axis; 0 repeats, negative runs backwards. */
  readonly strides: readonly number[];
  /** Of the first element, in elements. */
  readonly offset: number;
  readonly size: number;
  readonly buffer: Buffer;

  /** Engine-internal: shapes are trusted here. Users call `tensor`, `zeros`, …. */
  constructor(dtype: DType, shape: Shape, strides: readonly number[], offset: number, size: number, buffer: Buffer) {
    this.dtype = dtype;
    this.shape = shape;
    this.strides = strides;
    this.offset = offset;
    this.size = size;
    this.buffer = buffer;
  }

  get rank(): number {
    return this.shape.length;
  }

  /** NumPy's C_CONTIGUOUS: row-major without gaps; axes of size 1 do not count, empty tensors are contiguous. */
  get isContiguous(): boolean {
    return isRowMajor(this.shape, this.strides, this.size);
  }

  /**
   * Elements in row-major order. float16, bfloat16 and float8 elements are their codes.
   *
   * @throws EinstreamError E_STALE when the tensor was borrowed and its frame has ended, or its buffer was transferred
   */
  get data(): TypedArray {
    return readData(this);
  }

  /**
   * Nested numbers (booleans for bool, bigint for int64); a scalar gives the number.
   *
   * @throws EinstreamError E_STALE as `data`
   */
  toArray(): NestedArray {
    return nest(this.data, this.dtype, this.shape);
  }

  /** Kind and shape, not the elements: `Tensor float32 [2, 3]`. */
  toString(): string {
    return `Tensor ${this.dtype} ${formatShape(this.shape)}`;
  }
}

/** A contiguous tensor over an array that the caller gives up. The array's length must be the shape's count. */
export function tensorOver(array: TypedArray, dtype: DType, shape: Shape): Tensor {
  return new Tensor(dtype, shape, rowMajorStrides(shape), 0, array.length, { array, retired: false });
}

/** A contiguous tensor of zeros. The shape is checked before anything is allocated. */
export function allocateTensor(shape: Shape, dtype: DType): Tensor {
  // A frozen shape is shared: kernels allocate their outputs with the same one again and again.
  return tensorOver(allocateArray(numElements(shape), dtype), dtype, Object.isFrozen(shape) ? shape : Object.freeze([...shape]));
}

/**
 * Room for `size` elements, all zero: the only place that allocates them.
 *
 * @throws EinstreamError E_OOM when the memory cannot be had
 */
export function allocateArray(size: number, dtype: DType): TypedArray {
  const Elements = arrayOf(dtype);
  try {
    return new Elements(size);
  } catch (cause) {
    throw fault('E_OOM', {
      place: 'tensor',
      rule: 'memory for the elements must be available',
      expected: `${size * Elements.BYTES_PER_ELEMENT} bytes`,
      hint: 'use a smaller batch, or a narrower dtype',
      cause,
    });
  }
}

/** Nobody can read its elements any more: its frame has ended, or its buffer was transferred and the array has none left. */
export const isGone = ({ buffer, size }: Tensor): boolean => buffer.retired || (size > 0 && buffer.array.length === 0);

/**
 * The buffer's array, for reading.
 *
 * @throws EinstreamError E_STALE when the tensor was borrowed and its frame has ended, or its buffer was transferred
 */
export function liveArray(tensor: Tensor): TypedArray {
  if (isGone(tensor)) {
    throw fault(
      'E_STALE',
      tensor.buffer.retired
        ? {
            place: 'tensor',
            rule: "a borrowed tensor can be read only until its frame's next returns",
            hint: "copy it in time, or run with { outputs: 'copy' }",
          }
        : {
            place: 'tensor',
            rule: 'a tensor cannot be read after its buffer was transferred',
            expected: `${tensor.size} elements`,
            actual: 'a detached buffer',
            hint: 'transfer a copy: tensor.data.slice()',
          },
    );
  }
  return tensor.buffer.array;
}

function readData(tensor: Tensor): TypedArray {
  const array = liveArray(tensor);
  if (!tensor.isContiguous) return packed(tensor);
  const { offset, size } = tensor;
  return offset === 0 && size === array.length ? array : array.subarray(offset, offset + size);
}

/** The elements in an array of their own, row-major: a copy also where `data` is none. */
export function packed(tensor: Tensor): TypedArray {
  const copy = allocateArray(tensor.size, tensor.dtype);
  copyElements(tensor, copy);
  return copy;
}

/** Writes the elements of `source` into `target`, an array of the same type, in row-major order, any strides. */
export function copyElements(source: Tensor, target: TypedArray, at = 0): void {
  // One type stands for all: both arrays hold numbers, or both hold bigints.
  const from = liveArray(source) as Float64Array;
  const to = target as Float64Array;
  const { offset, size } = source;
  if (source.isContiguous) {
    to.set(offset === 0 && size === from.length ? from : from.subarray(offset, offset + size), at);
    return;
  }
  forEachRun(source, size, (address, stride, length, position) => {
    for (let i = at + position, end = i + length; i < end; i++, address += stride) to[i] = from[address]!;
  });
}
