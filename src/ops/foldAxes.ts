/**
 * @file Which axes an op folds: those named, in any order; all of them where none are named.
 */
import { normalizeAxes, type Where } from '../tensor/axis.js';
import type { Dims } from './dims.js';

/** One axis, several, or null for all. `[]` is none. */
export type Axes = number | readonly number[] | null;

/**
 * Axes as 0 … rank − 1, ascending.
 *
 * @throws EinstreamError E_SHAPE for an axis that the tensor does not have, or that is named twice
 */
export function foldAxes(axes: Axes | undefined, rank: number, where: Where): readonly number[] {
  if (axes === null || axes === undefined) return Array.from({ length: rank }, (_, axis) => axis);
  return [...normalizeAxes(axes, rank, where)].sort((a, b) => a - b);
}

/** The dims that are left: folded axes are dropped, or kept as size 1. */
export const foldedDims = (dims: Dims, axes: readonly number[], keepdims: boolean): Dims =>
  keepdims ? dims.map((dim, axis) => (axes.includes(axis) ? 1 : dim)) : dims.filter((_, axis) => !axes.includes(axis));
