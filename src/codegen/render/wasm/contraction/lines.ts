/**
 * @file Four neighbouring columns of a tensor as one vector of float32, loaded and stored however they lie.
 */
import type { Access } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { f32, f32x4, i32, v128 } from '../instructions.js';
import type { Local } from '../module.js';

/** How columns lie: all in one element, side by side, or any way. */
export interface Line {
  readonly dtype: Access['dtype'];
  readonly way: 'same' | 'adjacent' | 'apart';
}

/** `at` is the address of the block's first column, `place` that of its c-th. */
export interface Places {
  readonly at: Local;
  readonly place: (column: number) => Code;
}

export const bytesOf = (dtype: Access['dtype']): number => (dtype === 'bool' ? 1 : 4);

/** Lines that lie side by side from the first on: a line counts through `axes`, the last one fastest. */
export function runOf(extents: readonly number[], strides: readonly number[], axes: readonly number[]): number {
  let run = 1;
  for (const axis of axes.toReversed()) {
    if (strides[axis] !== run) return run;
    run *= extents[axis];
  }
  return run;
}

/** True where the lines of every block of `width` lie side by side. */
export function isAdjacent(
  extents: readonly number[],
  strides: readonly number[],
  axes: readonly number[],
  width: number,
): boolean {
  const run = runOf(extents, strides, axes);
  return run > 1 && (run % width === 0 || run === axes.reduce((total, axis) => total * extents[axis], 1));
}

/** How the columns of `access` lie in blocks of `width`; `axes` are those that make up a column. */
export function lineOf(extents: readonly number[], { dtype, strides }: Access, axes: readonly number[], width: number): Line {
  if (axes.every((axis) => strides[axis] === 0)) return { dtype, way: 'same' };
  return { dtype, way: isAdjacent(extents, strides, axes, width) ? 'adjacent' : 'apart' };
}

/** Columns 4·v to 4·v + 3. Up to 12 bytes behind the last column may be read. */
export function loadVector({ dtype, way }: Line, { at, place }: Places, v: number): Code {
  if (dtype === 'float32') {
    if (way === 'same') return v128.load32_splat(at.get, { align: 2 });
    if (way === 'adjacent') return v128.load(at.get, { offset: 16 * v, align: 2 });
    const first = v128.load32_zero(place(4 * v), { align: 2 });
    return [1, 2, 3].reduce<Code>((value, lane) => lane32(place(4 * v + lane), value, lane), first);
  }
  const truth = (address: Code): Code => f32.convert_i32_s(i32.load8_u(address));
  const first = f32x4.splat(truth(way === 'same' ? at.get : place(4 * v)));
  if (way === 'same') return first;
  return [1, 2, 3].reduce<Code>((value, lane) => f32x4.replace_lane(value, lane, truth(place(4 * v + lane))), first);
}

const lane32 = (address: Code, value: Code, lane: number): Code => v128.load32_lane(address, value, lane, { align: 2 });

/** `count` columns from 4·v on. */
export function storeVector({ dtype, way }: Line, { at, place }: Places, v: number, value: Local, count: number): Code {
  if (dtype === 'float32' && way === 'adjacent' && count === 4)
    return v128.store(at.get, value.get, { offset: 16 * v, align: 2 });
  return Array.from({ length: count }, (_, lane) =>
    dtype === 'float32'
      ? v128.store32_lane(place(4 * v + lane), value.get, lane, { align: 2 })
      : i32.store8(place(4 * v + lane), i32.trunc_sat_f32_s(f32x4.extract_lane(value.get, lane))),
  );
}
