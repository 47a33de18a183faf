/**
 * @file Size 1 stretched to any size, by a stride of 0.
 */
import { fault } from '../../errors/index.js';
import type { Layout } from '../layout.js';
import { formatShape, readShape } from '../shape.js';

/**
 * The layout repeated to `target`: shapes align at the right, axes of size 1 and missing ones stretch.
 *
 * @throws EinstreamError E_SHAPE naming the axis and both sizes, E_LIMIT when the result would be too large
 */
export function broadcastLayout(layout: Layout, target: readonly number[]): Layout {
  const shape = readShape(target, 'broadcastTo shape');
  const lead = shape.length - layout.shape.length;
  const bad = lead < 0 ? 0 : layout.shape.findIndex((size, axis) => size !== 1 && size !== shape[axis + lead]);
  if (bad >= 0) {
    throw fault('E_SHAPE', {
      place: 'broadcastTo',
      rule: lead < 0 ? 'the rank must not shrink' : `axis ${bad} must have size 1 or the size asked`,
      expected: formatShape(shape),
      actual: formatShape(layout.shape),
      hint: 'sizes align at the right; unsqueeze adds an axis elsewhere',
    });
  }
  const strides = shape.map((size, axis) =>
    axis < lead || (layout.shape[axis - lead] === 1 && size !== 1) ? 0 : layout.strides[axis - lead],
  );
  return { shape, strides: Object.freeze(strides), offset: layout.offset };
}
