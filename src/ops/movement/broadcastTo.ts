/**
 * @file Size 1 stretched to any size, without a copy.
 */
import { fault } from '../../errors/index.js';
import { formatShape } from '../../tensor/shape.js';
import { broadcastLayout } from '../../tensor/view/broadcast.js';
import { broadcastDim, type Dim, type Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { openIntegers } from '../params.js';
import { highest } from '../rules.js';
import { bounded } from './within.js';

/** Sizes, aligned at the right; null or −1 keeps the size that there is. */
export interface BroadcastParams {
  readonly shape: readonly (number | null)[];
}

/**
 * The tensor repeated to a shape: axes of size 1 and missing leading axes stretch. A view with strides of 0.
 *
 * ```ts
 * broadcastTo(tensor([1, 2]), { shape: [3, 2] }).toArray() // => [[1, 2], [1, 2], [1, 2]]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming the axis and both sizes, E_LIMIT when the result would be too large
 */
export const broadcastTo = defineOp<1, BroadcastParams>({
  name: 'broadcastTo',
  doc: 'The tensor repeated to a shape: axes of size 1 and missing leading axes stretch.',
  aliases: ['broadcast_to', 'expand'],
  arity: 1,
  params: { shape: openIntegers },
  dtype: highest,
  shape: broadcastedDims,
  view: (input, { shape }) => {
    const lead = shape.length - input.shape.length;
    return broadcastLayout(
      input,
      shape.map((size, axis) => (keeps(size) ? input.shape[axis - lead] : size)),
    );
  },
  vjp: (dy) => [dy],
  examples: [
    {
      inputs: [[[1], [2]]],
      params: { shape: [2, 3] },
      output: [
        [1, 1, 1],
        [2, 2, 2],
      ],
    },
  ],
});

const keeps = (size: number | null): size is null => size === null || size === -1;

function broadcastedDims([dims]: readonly (Dims | undefined)[], { shape }: BroadcastParams, place: Place): Dims | undefined {
  if (dims === undefined)
    return bounded(
      shape.map((size) => (keeps(size) ? null : size)),
      place,
    );
  const lead = shape.length - dims.length;
  const result = shape.map((size, axis): Dim => {
    const dim = axis < lead ? 1 : dims[axis - lead];
    if (keeps(size) && axis >= lead) return dim;
    if (!keeps(size) && size >= 0 && (dim === 1 || (broadcastDim(dim, size) === size && size !== 1) || typeof dim !== 'number'))
      return size;
    throw refused(dims, shape, axis, place);
  });
  if (lead < 0) throw refused(dims, shape, 0, place);
  return bounded(result, place);
}

const refused = (dims: Dims, shape: Dims, axis: number, place: Place) =>
  fault('E_SHAPE', {
    ...place,
    rule: shape.length < dims.length ? 'the rank must not shrink' : `axis ${axis} must have size 1 or the size asked`,
    expected: formatShape(shape),
    actual: formatShape(dims),
    hint: 'sizes align at the right; unsqueeze adds an axis elsewhere',
  });
