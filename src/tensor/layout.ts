/**
 * @file Where elements lie: what views compute with, apart from any buffer.
 */
import { rowMajorStrides, type Shape } from './shape.js';

/** In elements; the address of index i is offset + Σ strides[k]·i[k]. */
export interface Layout {
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Row-major, without gaps, from the start of a buffer. */
export const rowMajorLayout = (shape: Shape): Layout => ({ shape, strides: rowMajorStrides(shape), offset: 0 });

/** True when elements lie row-major without gaps. */
export function isRowMajor(shape: Shape, strides: readonly number[], size: number): boolean {
  if (size <= 1) return true;
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== step) return false;
    step *= shape[axis];
  }
  return true;
}

/** The lowest address and one past the highest; equal when there are no elements. */
export function extent({ shape, strides, offset }: Layout): { readonly from: number; readonly to: number } {
  let [from, to] = [offset, offset + 1];
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 0) return { from: offset, to: offset };
    const reach = strides[axis] * (shape[axis] - 1);
    if (reach < 0) from += reach;
    else to += reach;
  }
  return { from, to };
}

/**
 * Calls `visit` for each run along the last axis, in row-major order: the one walk over strided elements.
 *
 * @param visit gets the address of the run's first element, its stride, its length and its row-major position
 */
export function forEachRun(
  { shape, strides, offset }: Layout,
  size: number,
  visit: (address: number, stride: number, length: number, at: number) => void,
): void {
  if (size === 0) return;
  const last = shape.length - 1;
  if (last < 0) return visit(offset, 1, 1, 0);
  const [length, stride] = [shape[last], strides[last]];
  const index = new Array<number>(last).fill(0);
  let address = offset;
  for (let at = 0; at < size; at += length) {
    visit(address, stride, length, at);
    for (let axis = last - 1; axis >= 0; axis--) {
      address += strides[axis];
      if (++index[axis] < shape[axis]) break;
      address -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}
