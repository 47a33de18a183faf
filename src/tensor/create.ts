/**
 * @file Tensors from what users have: nested arrays, typed arrays, a value.
 */
import { describeValue, fault } from '../errors/index.js';
import { copyOf, fill, fitting, naturalOf, readOptions } from './accept.js';
import { convert, isCoded } from './convert.js';
import { arrayOf, typedArrayKind, type DType, type TypedArray } from './dtype.js';
import { flatten, type Element } from './nested.js';
import type { Shape } from './shape.js';
import { allocateArray, Tensor, tensorOver, type NestedArray } from './tensor.js';

/** What `tensor` and `wrap` take beside the elements. */
export interface TensorOptions {
  /** Sizes by axis; by default that of the nesting, or `[length]` of a typed array. */
  readonly shape?: readonly number[];
  /** By default float32 for numbers, bool for booleans, int64 for bigints; a typed array keeps its type. */
  readonly dtype?: DType;
}

/**
 * A tensor of given elements. It holds a copy: changing the source later changes nothing (`wrap` does not copy).
 *
 * Numbers are float32, booleans bool, bigints int64; numbers and booleans together are float32. A typed array keeps
 * its type (`Uint8Array` is uint8, storage only: ask for `{ dtype: 'bool' }` or another to compute with it).
 * With `dtype`, elements convert: towards integers they are cut to the integer part and to the nearest end of the
 * range, and NaN is 0. For float16, bfloat16 and float8 give the codes, in an unsigned typed array.
 *
 * ```ts
 * tensor([[1, 2, 3], [4, 5, 6]]).shape // => [2, 3]
 * tensor([1, 2, 3, 4], { shape: [2, 2] }).toArray() // => [[1, 2], [3, 4]]
 * tensor([true, false]).dtype // => 'bool'
 * tensor([1.9, -1.9, 3e9, NaN], { dtype: 'int32' }).toArray() // => [1, -1, 2147483647, 0]
 * ```
 *
 * @throws EinstreamError E_SHAPE for ragged nesting or a shape that does not hold the elements, E_DTYPE for other
 *   elements, E_LIMIT for more than 64 axes, 2^31 − 1 elements or 2^26 nested ones, E_ARGUMENT for unreadable data
 */
export function tensor(data: NestedArray | TypedArray, options: TensorOptions = {}): Tensor {
  const { shape, dtype } = readOptions(options, 'tensor');
  const kind = typedArrayKind(data);
  return kind === undefined ? fromNested(data, shape, dtype) : fromTyped(copyOf(data as TypedArray, kind), shape, dtype);
}

/**
 * A tensor over a typed array itself, without a copy: for streams of large arrays. Whoever writes to the array
 * later changes the tensor and all its views, also while a graph reads it.
 *
 * ```ts
 * const samples = Float32Array.of(1, 2, 3, 4);
 * wrap(samples, { shape: [2, 2] }).data === samples // => true
 * ```
 *
 * @throws EinstreamError E_SHAPE, E_LIMIT as `tensor`; E_DTYPE when the array's type does not store `dtype`;
 *   E_ARGUMENT for what is no typed array, or one whose buffer can be resized
 */
export function wrap(array: TypedArray, options: TensorOptions = {}): Tensor {
  const { shape, dtype } = readOptions(options, 'wrap');
  const kind = typedArrayKind(array);
  if (kind === undefined)
    throw fault('E_ARGUMENT', {
      place: 'wrap',
      rule: 'the elements must be a typed array',
      actual: describeValue(array),
      hint: 'tensor(…) takes nested arrays',
    });
  const memory = array.buffer as { readonly resizable?: boolean; readonly growable?: boolean };
  if (memory.resizable === true || memory.growable === true) {
    throw fault('E_ARGUMENT', {
      place: 'wrap',
      rule: 'the buffer must keep its size',
      actual: 'a resizable buffer',
      hint: 'tensor(…) copies',
    });
  }
  const type = dtype ?? naturalOf(kind, 'wrap');
  if (arrayOf(type).name !== kind)
    throw fault('E_DTYPE', {
      place: 'wrap',
      rule: `${type} must be stored in its array`,
      expected: arrayOf(type).name,
      actual: kind,
      hint: 'tensor(…, { dtype }) converts',
    });
  return tensorOver(array, type, fitting(shape, [array.length], array.length, 'wrap'));
}

function fromNested(data: unknown, shape: Shape | undefined, dtype: DType | undefined): Tensor {
  if (data instanceof Tensor)
    throw fault('E_ARGUMENT', {
      place: 'tensor',
      rule: 'the data must be numbers',
      actual: String(data),
      hint: 'it is a tensor already; reshape or cast it',
    });
  const { elements, shape: nesting } = flatten(data, 'tensor');
  const type = dtype ?? commonDType(elements);
  const fitted = fitting(shape, nesting, elements.length, 'tensor');
  return tensorOver(
    fill(allocateArray(elements.length, type), type, (i) => elements[i]),
    type,
    fitted,
  );
}

function commonDType(elements: readonly Element[]): DType {
  const kinds = new Set(elements.map((element) => typeof element));
  if (kinds.has('bigint')) {
    if (kinds.size > 1)
      throw fault('E_DTYPE', {
        place: 'tensor',
        rule: 'bigints do not mix with other elements',
        actual: [...kinds].join(' and '),
        hint: 'say which: { dtype }',
      });
    return 'int64';
  }
  return kinds.has('boolean') && kinds.size === 1 ? 'bool' : 'float32';
}

function fromTyped(array: TypedArray, shape: Shape | undefined, dtype: DType | undefined): Tensor {
  const own = naturalOf(typedArrayKind(array)!, 'tensor');
  const fitted = fitting(shape, [array.length], array.length, 'tensor');
  if (dtype === undefined || dtype === own) return tensorOver(array, own, fitted);
  const isCode = isCoded(dtype) && array instanceof arrayOf(dtype);
  return tensorOver(isCode ? array : convert(array, own, dtype), dtype, fitted);
}
