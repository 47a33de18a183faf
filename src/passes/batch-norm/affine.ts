/**
 * @file A column's way through additions and multiplications of constants, as one: y · scale + shift, in float64.
 */
import type { OpNode } from '../../graph/graph.js';
import type { Tensor } from '../../tensor/tensor.js';

/** One number a column. */
export interface Affine {
  readonly scale: Float64Array;
  readonly shift: Float64Array;
  /** A constant was multiplied or divided by; additions alone are a bias. */
  readonly isScaled: boolean;
}

export const identity = (columns: number): Affine => ({
  scale: new Float64Array(columns).fill(1),
  shift: new Float64Array(columns),
  isScaled: false,
});

/** One number a column from a constant that has them along its last axis, or is the same for all; undefined for any other. */
export function columnsOf(constant: Tensor, columns: number): Float64Array | undefined {
  const last = constant.shape.at(-1) ?? 1;
  if (constant.size !== last || (last !== 1 && last !== columns)) return undefined;
  const { data } = constant;
  return Float64Array.from({ length: columns }, (_, k) => Number(data[last === 1 ? 0 : k]));
}

/** With a further op, whose operand `at` goes on and whose other one is `c`; undefined where that is no such op. */
export function followed({ scale, shift, isScaled }: Affine, { op }: OpNode, at: number, c: Float64Array): Affine | undefined {
  const sign = at === 0 ? 1 : -1;
  switch (op) {
    case 'add':
      return { scale, shift: shift.map((b, k) => b + c[k]), isScaled };
    case 'sub':
      return { scale: scale.map((a) => sign * a), shift: shift.map((b, k) => sign * (b - c[k])), isScaled };
    case 'mul':
      return { scale: scale.map((a, k) => a * c[k]), shift: shift.map((b, k) => b * c[k]), isScaled: true };
    case 'div':
      return at === 0
        ? { scale: scale.map((a, k) => a / c[k]), shift: shift.map((b, k) => b / c[k]), isScaled: true }
        : undefined;
    default:
      return undefined;
  }
}
