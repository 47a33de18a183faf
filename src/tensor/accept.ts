/**
 * @file What the creating functions take from users: options, typed arrays, shapes. Each is read once, then checked.
 */
import { describeValue, fault } from '../errors/index.js';
import { encoderOf } from './convert.js';
import { arrayOf, naturalDType, readDType, type DType, type TypedArray } from './dtype.js';
import type { Element } from './nested.js';
import { formatShape, numElements, readShape, type Shape } from './shape.js';

export interface Options {
  readonly shape?: Shape;
  readonly dtype?: DType;
}

/** Options of a creating function, read once. */
export function readOptions(options: unknown, place: string): Options {
  if (typeof options !== 'object' || options === null)
    throw fault('E_ARGUMENT', { place, rule: 'options are an object', actual: describeValue(options) });
  const { shape, dtype } = options as { shape?: unknown; dtype?: unknown };
  return {
    shape: shape === undefined ? undefined : readShape(shape, `${place} shape`),
    dtype: dtype === undefined ? undefined : readDType(dtype, place),
  };
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

/** A copy in an ordinary array of the same type: of a subclass, of shared memory and of another realm too. */
export function copyOf(array: TypedArray, kind: string): TypedArray {
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

/** The dtype that a typed array keeps. */
export function naturalOf(kind: string, place: string): DType {
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
export function fitting(asked: Shape | undefined, own: Shape, count: number, place: string): Shape {
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
