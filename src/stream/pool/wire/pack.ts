/**
 * @file Tensors for a journey, and back. One copy is made of each, or none: never a structured clone of elements.
 */
import { arrayOf, typedArrayKind, type TypedArray } from '../../../tensor/dtype.js';
import { formatShape, rowMajorStrides, type Shape } from '../../../tensor/shape.js';
import { packed, Tensor } from '../../../tensor/tensor.js';
import type { Expected } from '../plan.js';
import type { Packed } from './protocol.js';

/** How elements travel: `'moved'` are given up, `'copied'` stay with their owner, `'lent'` are read at once by whoever sends them. */
export type Manner = 'moved' | 'copied' | 'lent';

export const NOTHING: Packed = Object.freeze({ names: [], dtypes: [], shapes: [], arrays: [] });

export function pack(tensors: Iterable<readonly [string, Tensor]>, manner: Manner): Packed {
  const [names, dtypes, shapes, arrays]: [string[], Tensor['dtype'][], Shape[], TypedArray[]] = [[], [], [], []];
  for (const [name, tensor] of tensors) {
    names.push(name);
    dtypes.push(tensor.dtype);
    shapes.push([...tensor.shape]);
    arrays.push(manner === 'lent' ? tensor.data : manner === 'moved' ? alone(tensor) : packed(tensor));
  }
  return { names, dtypes, shapes, arrays };
}

/** The tensor's own array where it fills a buffer that can be given away. */
function alone(tensor: Tensor): TypedArray {
  const { array } = tensor.buffer;
  const isWhole = tensor.isContiguous && tensor.offset === 0 && tensor.size === array.length;
  return isWhole && array.buffer instanceof ArrayBuffer && array.byteLength === array.buffer.byteLength ? array : packed(tensor);
}

/** Each buffer once. */
export const buffersOf = ({ arrays }: Packed): ArrayBuffer[] => [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))];

/** Trusted: what this realm has packed. */
export const unpack = ({ names, dtypes, shapes, arrays }: Packed): readonly (readonly [string, Tensor])[] =>
  names.map((name, at) => {
    const shape = Object.freeze([...shapes[at]]);
    const buffer = { array: arrays[at], retired: false };
    return [name, new Tensor(dtypes[at], shape, rowMajorStrides(shape), 0, arrays[at].length, buffer)];
  });

/** What is wrong with outputs that came from outside; undefined when nothing is. */
export function wrongIn(given: Packed | undefined, expected: readonly Expected[]): string | undefined {
  if (typeof given !== 'object' || given === null) return 'no outputs';
  const { names, dtypes, shapes, arrays } = given;
  for (const list of [names, dtypes, shapes, arrays])
    if (!Array.isArray(list) || list.length !== expected.length) return `not ${expected.length} outputs`;
  for (const [at, { name, dtype, shape }] of expected.entries()) {
    const place = `output ${at} ("${name}")`;
    if (names[at] !== name) return `${place} has another name`;
    if (dtypes[at] !== (dtype ?? dtypes[at])) return `${place} is ${String(dtypes[at])} instead of ${dtype}`;
    const wrong = wrongShape(shapes[at], shape);
    if (wrong !== undefined) return `${place} ${wrong}`;
    const kind = typedArrayKind(arrays[at]);
    if (kind === undefined || kind !== arrayOf(dtypes[at]).name)
      return `${place} has its elements in ${kind ?? 'no typed array'}`;
    const size = shapes[at].reduce((product, length) => product * length, 1);
    if (arrays[at].length !== size) return `${place} has ${arrays[at].length} elements instead of ${size}`;
  }
  return undefined;
}

function wrongShape(given: unknown, expected: Shape | undefined): string | undefined {
  if (!Array.isArray(given) || !given.every((size) => Number.isSafeInteger(size) && size >= 0)) return 'has no shape';
  const shape = given as Shape;
  if (expected === undefined || (expected.length === shape.length && expected.every((size, axis) => size === shape[axis])))
    return undefined;
  return `is ${formatShape(shape)} instead of ${formatShape(expected)}`;
}
