/**
 * @file The tensor: an immutable handle of dtype, shape, strides and offset over a buffer that views share.
 */
import { fault } from '../errors/index.js';
import { arrayOf, type DType, type TypedArray } from './dtype.js';
import { numElements, rowMajorStrides, type Shape } from './shape.js';

/** The memory behind one or more tensors. `retired` is set when a borrowed frame ends. */
export interface Buffer {
  readonly array: TypedArray;
  retired: boolean;
}

/** Numbers nested by axis; booleans for bool. */
export type NestedArray = number | boolean | bigint | readonly NestedArray[];

/**
 * An immutable multi-dimensional array. Views (`slice`, `transpose`, …) share the buffer.
 *
 * `data` is row-major; it is the buffer itself where the tensor is contiguous and fills it, a copy otherwise.
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
   * Elements in row-major order.
   *
   * @throws EinstreamError E_STALE when the tensor was borrowed and its frame has ended
   */
  get data(): TypedArray {
    return readData(this);
  }

  /** Nested numbers (booleans for bool, bigint for int64); a scalar gives the number. */
  toArray(): NestedArray {
    return nest(this.data, this.dtype, this.shape, 0, 0, this.size);
  }
}

/** True when elements lie row-major without gaps. */
export function isRowMajor(shape: Shape, strides: readonly number[], size: number): boolean {
  if (size <= 1) return true;
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== step) return false;
    step *= shape[axis]!;
  }
  return true;
}

/** A contiguous tensor over an array that the caller gives up. The array's length must be the shape's count. */
export function tensorOver(array: TypedArray, dtype: DType, shape: Shape): Tensor {
  return new Tensor(dtype, shape, rowMajorStrides(shape), 0, array.length, { array, retired: false });
}

/** A contiguous tensor of zeros. Checked: this is the only place that allocates elements. */
export function allocateTensor(shape: Shape, dtype: DType): Tensor {
  const size = numElements(shape);
  const Elements = arrayOf(dtype);
  let array: TypedArray;
  try {
    array = new Elements(size);
  } catch (cause) {
    throw fault('E_OOM', { place: 'tensor', rule: 'memory for the elements must be available', expected: `${size * Elements.BYTES_PER_ELEMENT} bytes`, hint: 'use a smaller batch, or a narrower dtype', cause });
  }
  return tensorOver(array, dtype, Object.freeze([...shape]));
}

function readData(tensor: Tensor): TypedArray {
  const { array, retired } = tensor.buffer;
  if (retired) {
    throw fault('E_STALE', { place: 'tensor', rule: 'a borrowed tensor can be read only until its frame\'s next returns', hint: "copy it in time, or run with { outputs: 'copy' }" });
  }
  if (tensor.isContiguous) {
    return tensor.offset === 0 && tensor.size === array.length ? array : array.subarray(tensor.offset, tensor.offset + tensor.size);
  }
  const packed = new (arrayOf(tensor.dtype))(tensor.size);
  copyElements(tensor, packed as Float64Array);
  return packed;
}

/** Writes the elements of `source` into `target` in row-major order, any strides. */
export function copyElements(source: Tensor, target: TypedArray, at = 0): void {
  const from = source.buffer.array as Float64Array;
  const to = target as Float64Array;
  const { shape, strides, size } = source;
  if (source.isContiguous) {
    to.set(source.offset === 0 && size === from.length ? from : from.subarray(source.offset, source.offset + size), at);
    return;
  }
  const rank = shape.length;
  const index = new Array<number>(rank).fill(0);
  let address = source.offset;
  for (let i = 0; i < size; i++) {
    to[at + i] = from[address]!;
    for (let axis = rank - 1; axis >= 0; axis--) {
      address += strides[axis]!;
      if (++index[axis]! < shape[axis]!) break;
      address -= strides[axis]! * shape[axis]!;
      index[axis] = 0;
    }
  }
}

function nest(data: TypedArray, dtype: DType, shape: Shape, axis: number, from: number, count: number): NestedArray {
  if (axis === shape.length) {
    const value = data[from]!;
    return dtype === 'bool' ? value !== 0 : value;
  }
  const size = shape[axis]!;
  const step = size === 0 ? 0 : count / size;
  return Array.from({ length: size }, (_, i) => nest(data, dtype, shape, axis + 1, from + i * step, step));
}
