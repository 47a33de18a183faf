/**
 * @file From the number of a thread to the indices of its element, and from indices to addresses.
 */
import { literal } from '../../emitted.js';
import type { Access } from '../../ir.js';
import type { GpuOperand, Placement, Resident } from './kernel.js';
import { LARGEST_INTEGER, unable } from './limits.js';
import type { Text } from './text.js';

/** Up to here a quotient that a shading language rounds by 2.5 units still has the right floor. */
const SURELY_EXACT = 2 ** 21;

/** Quotient and remainder of an index below `most` by a size, both whole. */
export function divided(m: Text, index: string, size: number, most: number): readonly [quotient: string, remainder: string] {
  const by = literal(size);
  let quotient = m.keep(`Math.floor((${index}+0.5)/${by})`);
  if (most > SURELY_EXACT) {
    const left = m.keep(`${index}-${quotient}*${by}`);
    quotient = m.keep(`(${left}<0?${quotient}-1:(${left}<${by}?${quotient}:${quotient}+1))`);
  }
  return [quotient, m.keep(`${index}-${quotient}*${by}`)];
}

/** The index of each of `extents` for thread `i`, row-major. */
export function indicesOf(m: Text, extents: readonly number[]): readonly string[] {
  if (extents.length === 0) return [];
  let rest = m.keep('this.thread.x');
  const indices: string[] = [];
  for (const extent of extents.slice(1).reverse()) {
    const [quotient, remainder] = divided(m, rest, extent, count(extents));
    indices.unshift(remainder);
    rest = quotient;
  }
  return [rest, ...indices];
}

/** A sum of indices by strides, from a start that makes it no address below 0. */
export function addressOf(indices: readonly string[], strides: readonly number[], start = 0): string {
  const terms = indices.flatMap((index, axis) => {
    const stride = strides[axis];
    return stride === 0 ? [] : [stride === 1 ? index : `${index}*${literal(stride)}`];
  });
  if (start !== 0 || terms.length === 0) terms.push(literal(start));
  return terms.join('+');
}

export interface Window {
  readonly operand: GpuOperand;
  /** Of the element at index 0 of every axis, within the window. */
  readonly start: number;
}

/** The part of an input that a walk reaches. @throws EinstreamError E_CODEGEN for one whose addresses float32 does not hold */
export function windowOf(
  index: number,
  { strides, offset }: Access,
  extents: readonly number[],
  resident: Resident | undefined,
): Window {
  const reach = extents.map((extent, axis) => strides[axis] * (extent - 1));
  const below = reach.reduce((sum, each) => sum + Math.min(0, each), 0);
  const above = reach.reduce((sum, each) => sum + Math.max(0, each), 0);
  if (above - below >= LARGEST_INTEGER)
    throw unable('more than 2^24 elements', 'addresses are float32 numbers', `${above - below + 1} elements`);
  if (resident !== undefined) {
    if (resident.length > LARGEST_INTEGER)
      throw unable('more than 2^24 elements', 'addresses are float32 numbers', `${resident.length} elements`);
    const { length, isTiled } = resident;
    return { operand: { of: 'buffer', index, length, isTiled }, start: resident.offset + offset };
  }
  return { operand: { of: 'input', index, from: offset + below, to: offset + above + 1 }, start: -below };
}

/** A placement, and the axes that it lists. */
export interface OrderedPlacement extends Placement {
  readonly order: readonly number[];
}

export const count = (extents: readonly number[]): number => extents.reduce((product, extent) => product * extent, 1);

/** The order of axes in which the output is one run, where there is one; else as they are. */
export function placementOf({ strides, offset }: Access, extents: readonly number[]): OrderedPlacement {
  const order = extents.map((_, axis) => axis).sort((a, b) => strides[b] - strides[a]);
  let run = 1;
  const isContiguous = order.toReversed().every((axis) => {
    const fits = strides[axis] === run;
    run *= extents[axis];
    return fits;
  });
  const axes = isContiguous ? order : extents.map((_, axis) => axis);
  return {
    offset,
    order: axes,
    extents: axes.map((axis) => extents[axis]),
    strides: axes.map((axis) => strides[axis]),
    isContiguous,
  };
}
