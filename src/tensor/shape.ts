/**
 * @file Shapes: the one reader, the one checked element count, row-major strides.
 */
import { describeValue, fault } from '../errors/index.js';

/** Sizes by axis; `[]` is a scalar. */
export type Shape = readonly number[];

/** Most elements that one tensor may have: kernels index with int32. */
export const MAX_ELEMENTS = 2 ** 31 - 1;
/** Most axes of a tensor. */
export const MAX_RANK = 64;

/**
 * A shape from a user, copied once and frozen, so that what was checked is what is used.
 *
 * @throws EinstreamError E_SHAPE for what is no list of integers ≥ 0, E_LIMIT for too many axes or elements
 */
export function readShape(value: unknown, place = 'shape', limit: number = MAX_ELEMENTS): Shape {
  const sizes = readIntegers(value, place);
  numElements(sizes, limit, place);
  return sizes;
}

/** A list of integers (sizes, axes, strides), copied once and frozen. At most `MAX_RANK` of them. */
export function readIntegers(value: unknown, place: string): readonly number[] {
  if (!Array.isArray(value)) {
    throw fault('E_SHAPE', {
      place,
      rule: 'must be a list of integers, one an axis',
      actual: describeValue(value),
      hint: 'write [2, 3]; a scalar is []',
    });
  }
  const { length } = value;
  checkRank(length, place);
  const copy = new Array<number>(length);
  for (let axis = 0; axis < length; axis++) {
    const item = value[axis] as unknown;
    if (!Number.isInteger(item))
      throw fault('E_SHAPE', { place, rule: `the item for axis ${axis} must be an integer`, actual: describeValue(item) });
    copy[axis] = (item as number) + 0; // −0 is 0
  }
  return Object.freeze(copy);
}

function checkRank(rank: number, place: string): void {
  if (rank > MAX_RANK) {
    throw fault('E_LIMIT', {
      place,
      rule: 'a tensor has a bounded number of axes',
      expected: `at most ${MAX_RANK}`,
      actual: String(rank),
    });
  }
}

/**
 * Number of elements of a shape: the product of its sizes, checked before anything is allocated.
 * The sizes other than 0 must stay within the limit too.
 *
 * @throws EinstreamError E_SHAPE for a size that is no integer ≥ 0, E_LIMIT when the product passes `limit`
 */
export function numElements(shape: Shape, limit: number = MAX_ELEMENTS, place = 'shape'): number {
  let count = 1;
  let empty = false;
  checkRank(shape.length, place);
  for (let axis = 0; axis < shape.length; axis++) {
    const size = shape[axis];
    if (!Number.isInteger(size) || size < 0) {
      throw fault('E_SHAPE', {
        place,
        rule: `the size of axis ${axis} must be an integer ≥ 0`,
        actual: describeValue(size),
        hint: 'count elements, not bytes',
      });
    }
    if (size === 0) empty = true;
    else {
      count *= size;
      // Beyond 2^53 a product is no longer exact, so stop at the limit, zero-size axis or not.
      if (count > limit) {
        throw fault('E_LIMIT', {
          place,
          rule: 'the element count must stay within the limit',
          expected: `at most ${limit} elements`,
          actual: `shape [${shape.map(describeValue).join(', ')}]`,
          hint: 'split the work into smaller tensors',
        });
      }
    }
  }
  return empty ? 0 : count;
}

/** Strides, in elements, of a contiguous row-major tensor. */
export function rowMajorStrides(shape: Shape): readonly number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

/** Equal size by size. */
export const sameShape = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((size, axis) => size === b[axis]);

/** As messages print it: `[2, n, ?]`. */
export const formatShape = (shape: readonly (number | string | null)[]): string =>
  `[${shape.map((size) => size ?? '?').join(', ')}]`;
