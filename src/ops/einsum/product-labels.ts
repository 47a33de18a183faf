/**
 * @file What matrix and dot products contract, in labels; apart from their ops, so that who reads labels needs no op.
 */
import type { Dims } from '../dims.js';
import { parseEinsum } from './parse.js';
import { labelsOf, type Labels } from './resolve.js';

/** The spec that a product of these ranks stands for. */
export function matmulSpec(x: Dims, y: Dims): string {
  const [left, row] = x.length === 1 ? ['j', ''] : ['...ij', 'i'];
  const [right, column] = y.length === 1 ? ['j', ''] : ['...jk', 'k'];
  const batch = x.length > 1 || y.length > 1 ? '...' : '';
  return `${left},${right}->${batch}${row}${column}`;
}

/** The labels of a product whose operands fit. */
export const matmulLabels = (x: Dims, y: Dims): Labels => labelsOf(parseEinsum(matmulSpec(x, y)), [x, y]);

/** The axis of `y` that is summed, from the left. */
export const innerAxis = (y: Dims): number => Math.max(0, y.length - 2);

/** The labels of a dot product. Letters would run out at 52 axes, so the labels are made here: the axes of x, then those of y that stay. */
export function dotLabels(x: Dims, y: Dims): Labels {
  const at = x.length === 0 || y.length === 0 ? -1 : innerAxis(y);
  const left = x.map((_, axis) => axis);
  const own = y.map((_, axis) => axis).filter((axis) => axis !== at);
  const labels = [...left, ...own.map((_, i) => x.length + i)];
  return {
    operands: [left, y.map((_, axis) => (axis === at ? x.length - 1 : x.length + own.indexOf(axis)))],
    output: at < 0 ? labels : labels.filter((label) => label !== x.length - 1),
  };
}
