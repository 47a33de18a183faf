/**
 * @file Axes in another order.
 */
import { fault } from '../../errors/index.js';
import { normalizeAxes } from '../axis.js';
import type { Layout } from '../layout.js';

/**
 * Axis k of the result is axis `perm[k]`; without `perm` the axes are turned around.
 *
 * @throws EinstreamError E_SHAPE when `perm` does not name every axis once
 */
export function transposeLayout({ shape, strides, offset }: Layout, perm?: readonly number[]): Layout {
  const rank = shape.length;
  const order = perm === undefined ? shape.map((_, axis) => rank - 1 - axis) : normalizeAxes(perm, rank, 'transpose axes');
  if (order.length !== rank) {
    throw fault('E_SHAPE', {
      place: 'transpose axes',
      rule: 'the permutation must name every axis once',
      expected: `${rank} axes`,
      actual: `[${order.join(', ')}]`,
    });
  }
  return {
    shape: Object.freeze(order.map((axis) => shape[axis])),
    strides: Object.freeze(order.map((axis) => strides[axis])),
    offset,
  };
}
