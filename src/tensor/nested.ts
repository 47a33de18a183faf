/**
 * @file Nested arrays: from elements, and into elements.
 */
import { describeValue, EinstreamError, fault } from '../errors/index.js';
import type { DType, TypedArray } from './dtype.js';
import { MAX_RANK, type Shape } from './shape.js';

/** Numbers nested by axis; booleans for bool, bigint for int64. */
export type NestedArray = number | boolean | bigint | readonly NestedArray[];

/** One element as users write it. */
export type Element = number | boolean | bigint;

/** Most elements that nested arrays may hold; more come as a typed array. */
export const MAX_NESTED = 2 ** 26;

/** Row-major elements as arrays nested by axis. */
export const nest = (data: TypedArray, dtype: DType, shape: Shape): NestedArray =>
  nestAxis(data, dtype, shape, 0, 0, data.length);

function nestAxis(data: TypedArray, dtype: DType, shape: Shape, axis: number, from: number, count: number): NestedArray {
  if (axis === shape.length) {
    const value = data[from];
    return dtype === 'bool' ? value !== 0 : value;
  }
  const size = shape[axis];
  const step = size === 0 ? 0 : count / size;
  const items = new Array<NestedArray>(size);
  for (let i = 0; i < size; i++) items[i] = nestAxis(data, dtype, shape, axis + 1, from + i * step, step);
  return items;
}

/** What nested arrays hold: elements in row-major order and the shape that they span. */
export interface Flat {
  readonly elements: readonly Element[];
  readonly shape: Shape;
}

/**
 * Walks nested arrays once: every length and every item is read one time, and not deeper than `MAX_RANK`.
 *
 * @throws EinstreamError E_SHAPE for ragged nesting, E_DTYPE for an item that is no number, boolean or bigint,
 *   E_LIMIT for too many axes or elements, E_ARGUMENT when reading itself throws (a getter, a revoked proxy)
 */
export function flatten(nested: unknown, place: string): Flat {
  const elements: Element[] = [];
  const shape: number[] = [];
  const path: number[] = [];
  let rank: number | undefined;

  const where = (): string => (path.length === 0 ? 'the value' : `the item at [${path.join('][')}]`);
  const ragged = (expected: string, actual: string): EinstreamError =>
    fault('E_SHAPE', {
      place,
      rule: `nested arrays must be regular: ${where()} breaks the shape`,
      expected,
      actual,
      hint: 'pad the rows, or pass flat numbers with { shape }',
    });

  const visit = (item: unknown): void => {
    const depth = path.length;
    if (!Array.isArray(item)) {
      if (!isElement(item)) throw notElement(place, where(), item);
      rank ??= shape.length;
      if (depth !== rank) throw ragged(`an array of length ${shape[depth]}`, describeValue(item));
      if (elements.length === MAX_NESTED)
        throw fault('E_LIMIT', {
          place,
          rule: 'nested arrays hold a bounded number of elements',
          expected: `at most ${MAX_NESTED}`,
          hint: 'pass a typed array with { shape }',
        });
      elements.push(item);
      return;
    }
    if (depth === MAX_RANK)
      throw fault('E_LIMIT', {
        place,
        rule: 'nested arrays have a bounded depth',
        expected: `at most ${MAX_RANK} levels`,
        actual: 'more',
        hint: 'an array may contain itself',
      });
    if (rank !== undefined && depth >= rank) throw ragged('a number', 'an array');
    const { length } = item;
    if (depth === shape.length) shape.push(length);
    else if (shape[depth] !== length) throw ragged(`an array of length ${shape[depth]}`, `an array of length ${length}`);
    for (let i = 0; i < length; i++) {
      path[depth] = i;
      visit(item[i]);
    }
    path.length = depth;
  };

  try {
    visit(nested);
  } catch (cause) {
    if (cause instanceof EinstreamError) throw cause;
    throw fault('E_ARGUMENT', { place, rule: `${where()} must be readable`, cause });
  }
  return { elements, shape };
}

const isElement = (item: unknown): item is Element =>
  typeof item === 'number' || typeof item === 'boolean' || typeof item === 'bigint';

const notElement = (place: string, where: string, item: unknown): EinstreamError =>
  fault('E_DTYPE', {
    place,
    rule: `${where} must be a number, a boolean or a bigint`,
    actual: describeValue(item),
    hint: ArrayBuffer.isView(item) ? 'pass one typed array with { shape }' : 'convert it first: Number(…)',
  });
