/**
 * @file Shapes: the one checked element count, row-major strides, broadcasting.
 */
import { fault } from '../errors/index.js';

/** Sizes by axis; `[]` is a scalar. */
export type Shape = readonly number[];

/** Most elements that one tensor may have: what a typed array can index. */
export const MAX_ELEMENTS = 2 ** 32 - 1;
/** Most axes of a tensor. */
export const MAX_RANK = 64;

/**
 * Number of elements of a shape: the product of its sizes, checked before anything is allocated.
 *
 * @throws EinstreamError E_SHAPE for a size that is no integer ≥ 0, E_LIMIT when the product passes `limit`
 */
export function numElements(shape: Shape, limit: number = MAX_ELEMENTS): number {
  let count = 1;
  let empty = false;
  if (shape.length > MAX_RANK) {
    throw fault('E_LIMIT', { place: 'shape', rule: 'a tensor has a bounded number of axes', expected: `at most ${MAX_RANK}`, actual: String(shape.length) });
  }
  for (let axis = 0; axis < shape.length; axis++) {
    const size = shape[axis]!;
    if (!Number.isInteger(size) || size < 0) {
      throw fault('E_SHAPE', { place: 'shape', rule: `the size of axis ${axis} must be an integer ≥ 0`, actual: String(size), hint: 'count elements, not bytes' });
    }
    if (size === 0) empty = true;
    else {
      count *= size;
      // Beyond 2^53 a product is no longer exact, so stop at the limit, zero-size axis or not.
      if (count > limit) {
        throw fault('E_LIMIT', { place: 'shape', rule: 'the element count must stay below the limit', expected: `at most ${limit} elements`, actual: `shape [${shape.join(', ')}]`, hint: 'split the work into smaller tensors' });
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
    step *= shape[axis]!;
  }
  return strides;
}

export const sameShape = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((size, axis) => size === b[axis]);

export const formatShape = (shape: readonly (number | string | null)[]): string => `[${shape.map((size) => size ?? '?').join(', ')}]`;
