/**
 * @file Axes of size 1, dropped and added.
 */
import { fault } from '../../errors/index.js';
import { normalizeAxes } from '../../tensor/axis.js';
import { formatShape } from '../../tensor/shape.js';
import { squeezeLayout, unsqueezeLayout } from '../../tensor/view/squeeze.js';
import type { Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { axes } from '../params.js';
import { highest } from '../rules.js';
import { bounded } from './within.js';
import { reshapeAs } from '../as-shape.js';

/** One axis or several; for `squeeze`, all of size 1 where absent. */
export interface SqueezeParams {
  readonly axis?: number | readonly number[] | null;
}

/** Where the new axes stand in the result. */
export interface UnsqueezeParams {
  readonly axis: number | readonly number[];
}

/**
 * Drops axes of size 1: those given, or all. A view.
 *
 * ```ts
 * squeeze(tensor([[[1], [2]]])).shape // => [2]
 * squeeze(tensor([[[1], [2]]]), { axis: 0 }).shape // => [2, 1]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis of another size, or that does not exist
 */
export const squeeze = defineOp<1, SqueezeParams>({
  name: 'squeeze',
  doc: 'Drops axes of size 1: those given, or all.',
  arity: 1,
  params: { axis: axes(null) },
  dtype: highest,
  shape: squeezedDims,
  view: (input, { axis }) => squeezeLayout(input, axis),
  vjp: (dy, [x], _y, g) => [reshapeAs(dy, x, g)],
  examples: [{ inputs: [[[1], [2]]], params: { axis: 1 }, output: [1, 2] }],
});

/**
 * Adds axes of size 1, which stand at `axis` of the result. A view.
 *
 * ```ts
 * unsqueeze(tensor([1, 2]), { axis: 1 }).toArray() // => [[1], [2]]
 * unsqueeze(tensor([1, 2]), { axis: [0, -1] }).shape // => [1, 2, 1]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis outside the result
 */
export const unsqueeze = defineOp<1, UnsqueezeParams>({
  name: 'unsqueeze',
  doc: 'Adds axes of size 1, which stand at the given axes of the result.',
  aliases: ['expandDims', 'expand_dims'],
  arity: 1,
  params: { axis: (value, refuse) => axes(null)(value, refuse) ?? refuse('an axis or a list of axes') },
  dtype: highest,
  shape: unsqueezedDims,
  view: (input, { axis }) => unsqueezeLayout(input, axis),
  vjp: (dy, _inputs, _y, g, { axis }) => [g.squeeze(dy, { axis })],
  examples: [{ inputs: [[1, 2]], params: { axis: 1 }, output: [[1], [2]] }],
});

function squeezedDims([dims]: readonly (Dims | undefined)[], { axis }: SqueezeParams, place: Place): Dims | undefined {
  if (dims === undefined) return undefined;
  if (axis === null || axis === undefined) {
    // A size that is not known may be 1, and then the axis goes: the rank is not known either.
    return dims.every((dim) => typeof dim === 'number') ? dims.filter((dim) => dim !== 1) : undefined;
  }
  const chosen = normalizeAxes(axis, dims.length, place);
  const wide = chosen.find((at) => typeof dims[at] === 'number' && dims[at] !== 1);
  if (wide !== undefined) {
    throw fault('E_SHAPE', {
      ...place,
      rule: `axis ${wide} must have size 1`,
      actual: `size ${dims[wide]} in shape ${formatShape(dims)}`,
      hint: 'take one element with slice and at(i)',
    });
  }
  return dims.filter((_, at) => !chosen.includes(at));
}

function unsqueezedDims([dims]: readonly (Dims | undefined)[], { axis }: UnsqueezeParams, place: Place): Dims | undefined {
  if (dims === undefined) return undefined;
  const count = typeof axis === 'number' ? 1 : axis.length;
  const places = normalizeAxes(axis, dims.length + count, place);
  const rest = dims.values();
  return bounded(
    Array.from({ length: dims.length + count }, (_, at) => (places.includes(at) ? 1 : (rest.next().value ?? null))),
    place,
  );
}
