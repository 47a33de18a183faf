/**
 * @file Tensors from what users have: nested arrays, typed arrays, a value.
 */
import { describeValue, fault } from '../errors/index.js';
import { convert, encoderOf, isCoded } from './convert.js';
import { arrayOf, naturalDType, readDType, typedArrayKind, type DType, type TypedArray } from './dtype.js';
import { flatten, type Element } from './nested.js';
import { formatShape, numElements, readShape, type Shape } from './shape.js';
import { allocateArray, Tensor, tensorOver, type NestedArray } from './tensor.js';

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

interface Options {
  readonly shape?: Shape;
  readonly dtype?: DType;
}

/** Options read once. */
export function readOptions(options: unknown, place: string): Options {
  if (typeof options !== 'object' || options === null)
    throw fault('E_ARGUMENT', { place, rule: 'options are an object', actual: describeValue(options) });
  const { shape, dtype } = options as { shape?: unknown; dtype?: unknown };
  return {
    shape: shape === undefined ? undefined : readShape(shape, `${place} shape`),
    dtype: dtype === undefined ? undefined : readDType(dtype, place),
  };
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

/** Writes `valueAt(i)` as elements of `dtype`. */
export function fill(array: TypedArray, dtype: DType, valueAt: (index: number) => Element): TypedArray {
  const encode = encoderOf(dtype) as (value: number) => number;
  const target = array as Float64Array;
  for (let i = 0; i < target.length; i++) {
    const value = valueAt(i);
    target[i] = encode((typeof value === 'boolean' ? Number(value) : value) as number);
  }
  return array;
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

/** A copy in an ordinary array of the same type: of a subclass, of shared memory and of another realm too. */
function copyOf(array: TypedArray, kind: string): TypedArray {
  const Elements = arrayOf(naturalOf(kind, 'tensor')) as unknown as new (source: TypedArray) => TypedArray;
  try {
    return new Elements(array); // reads the length and the elements in one step
  } catch (cause) {
    throw fault(cause instanceof RangeError ? 'E_OOM' : 'E_ARGUMENT', {
      place: 'tensor',
      rule: 'the typed array must be readable',
      actual: `${kind}, perhaps of a transferred buffer`,
      cause,
    });
  }
}

function naturalOf(kind: string, place: string): DType {
  const dtype = naturalDType(kind);
  if (dtype === undefined)
    throw fault('E_DTYPE', {
      place,
      rule: 'the typed array must have a dtype',
      actual: kind,
      hint: kind === 'BigUint64Array' ? 'convert it to a BigInt64Array' : 'copy it to a Float32Array',
    });
  return dtype;
}

/** The asked shape if it holds `count` elements, else the data's own. */
function fitting(asked: Shape | undefined, own: Shape, count: number, place: string): Shape {
  const shape = asked ?? readShape(own, place);
  if (numElements(shape) !== count) {
    throw fault('E_SHAPE', {
      place,
      rule: 'the shape must hold exactly the elements given',
      expected: `${numElements(shape)} for shape ${formatShape(shape)}`,
      actual: `${count} of shape ${formatShape(own)}`,
      hint: count === 1 ? 'full(shape, value) repeats one value' : 'leave the shape out, or reshape afterwards',
    });
  }
  return shape;
}
