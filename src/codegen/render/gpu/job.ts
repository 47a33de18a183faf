/**
 * @file A nest to render, and the indices that its threads have.
 */
import type { NestIR } from '../../ir.js';
import { indicesOf } from './cells.js';
import type { GpuForm } from './form.js';
import type { Residents } from './kernel.js';
import type { Text } from './text.js';
import { TILE } from './tile.js';

/** A nest, which of its inputs lie on a device, and how its kernels are to be. */
export interface Job {
  readonly ir: NestIR;
  readonly residents: Residents;
  readonly form: GpuForm;
}

/** Indices by axis for the axes that threads run over, in this order; those of a tiled axis are four apart. */
export function threadIndices(m: Text, ir: NestIR, order: readonly number[], tiled?: number): readonly string[] {
  const found = indicesOf(
    m,
    order.map((axis) => (axis === tiled ? ir.extents[axis] / TILE : ir.extents[axis])),
  );
  const indices = new Array<string>(ir.extents.length).fill('0');
  order.forEach((axis, k) => (indices[axis] = axis === tiled ? m.keep(`${found[k]}*${TILE}`) : found[k]));
  return indices;
}
