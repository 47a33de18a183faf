/**
 * @file Axes of size 1, dropped and added.
 */
import { fault } from '../../errors/index.js';
import { normalizeAxes } from '../axis.js';
import type { Layout } from '../layout.js';
import { formatShape } from '../shape.js';

/**
 * Drops axes of size 1: those given, or all.
 *
 * @throws EinstreamError E_SHAPE for an axis of another size, or that does not exist
 */
export function squeezeLayout({ shape, strides, offset }: Layout, axes?: number | readonly number[] | null): Layout {
  const chosen = axes == null ? undefined : normalizeAxes(axes, shape.length, 'squeeze');
  const wide = chosen?.find((axis) => shape[axis] !== 1);
  if (wide !== undefined) {
    throw fault('E_SHAPE', {
      place: 'squeeze',
      rule: `axis ${wide} must have size 1`,
      actual: `size ${shape[wide]} in shape ${formatShape(shape)}`,
      hint: 'take one element: at(i)',
    });
  }
  const stays = (_: unknown, axis: number): boolean => (chosen === undefined ? shape[axis] !== 1 : !chosen.includes(axis));
  return { shape: Object.freeze(shape.filter(stays)), strides: Object.freeze(strides.filter(stays)), offset };
}

/**
 * Adds axes of size 1, so that they stand at `axes` of the result.
 *
 * @throws EinstreamError E_SHAPE for an axis outside the result
 */
export function unsqueezeLayout({ shape, strides, offset }: Layout, axes: number | readonly number[]): Layout {
  const added = typeof axes === 'number' ? 1 : axes.length;
  const places = normalizeAxes(axes, shape.length + added, 'unsqueeze');
  const spread = (values: readonly number[], fresh: number): readonly number[] => {
    const rest = values[Symbol.iterator]();
    return Object.freeze(
      Array.from({ length: values.length + added }, (_, axis) => (places.includes(axis) ? fresh : (rest.next().value as number))),
    );
  };
  return { shape: spread(shape, 1), strides: spread(strides, 0), offset };
}
