/**
 * @file The same elements in row-major order, under another shape.
 */
import { fault } from '../../errors/index.js';
import { formatShape } from '../../tensor/shape.js';
import { inferShape, reshapeLayout } from '../../tensor/view/reshape.js';
import { isStatic, type Dim, type Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { openIntegers } from '../params.js';
import { highest } from '../rules.js';
import { bounded, within } from './within.js';
import { reshapeAs } from '../as-shape.js';

/** Sizes; one may be −1, what the others leave. null is a size that is not stated; one of them is found as −1 is. */
export interface ReshapeParams {
  readonly shape: readonly (number | null)[];
}

/**
 * The same elements in row-major order, under another shape. A view where the strides allow it, else one copy.
 *
 * ```ts
 * reshape(tensor([1, 2, 3, 4]), { shape: [2, -1] }).toArray() // => [[1, 2], [3, 4]]
 * reshape(tensor(5), { shape: [-1] }).shape // => [1]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming both shapes when the counts differ
 */
export const reshape = defineOp<1, ReshapeParams>({
  name: 'reshape',
  doc: 'The same elements in row-major order, under another shape; one size may be −1.',
  arity: 1,
  params: { shape: openIntegers },
  dtype: highest,
  shape: ([dims], { shape }, place) => bounded(reshapedDims(dims, shape, place), place),
  view: (input, { shape }) =>
    reshapeLayout(
      input,
      shape.map((size) => size ?? -1),
    ),
  vjp: (dy, [x], _y, g) => [reshapeAs(dy, x, g)],
  examples: [
    {
      inputs: [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      params: { shape: [3, -1] },
      output: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    },
  ],
});

function reshapedDims(dims: Dims | undefined, shape: readonly (number | null)[], place: Place): Dims {
  const bad = shape.find((size) => size !== null && size < -1);
  const open = shape.flatMap((size, axis) => (size === null || size === -1 ? [axis] : []));
  if (bad !== undefined || shape.filter((size) => size === -1).length > 1) {
    throw fault('E_SHAPE', { ...place, rule: 'sizes are at least 0, and one of them may be -1', actual: formatShape(shape) });
  }
  const known = shape.map((size) => (size === -1 ? null : size));
  if (dims === undefined || open.length > 1) return known;
  if (isStatic(dims))
    return within(place, () =>
      inferShape(
        dims,
        shape.map((size) => size ?? -1),
      ),
    );
  const rest = remainder(dims, product(shape.filter((_, axis) => !open.includes(axis))), place, shape);
  return known.map((size, axis) => (open.includes(axis) ? rest : size));
}

const product = (dims: Dims): number => dims.reduce<number>((total, dim) => (typeof dim === 'number' ? total * dim : total), 1);

/** What the sizes that are stated leave of a shape with unknown sizes: a symbol where it alone is left. */
function remainder(dims: Dims, stated: number, place: Place, shape: Dims): Dim {
  const symbols = dims.filter((dim) => typeof dim !== 'number');
  const factor = product(dims);
  if (shape.every((size) => size !== null && size !== -1) && factor !== 0 && stated % factor !== 0) {
    throw fault('E_SHAPE', {
      ...place,
      rule: 'the shapes must hold equally many elements',
      expected: `a multiple of ${factor}, as shape ${formatShape(dims)}`,
      actual: `${stated} elements, shape ${formatShape(shape)}`,
    });
  }
  return symbols.length === 1 && factor === stated ? symbols[0] : null;
}
