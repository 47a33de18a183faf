/**
 * @file Axes in another order.
 */
import { fault } from '../../errors/index.js';
import { normalizeAxes } from '../../tensor/axis.js';
import { transposeLayout } from '../../tensor/view/transpose.js';
import type { Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { optionalIntegers } from '../params.js';
import { highest } from '../rules.js';

/** Axis k of the result is axis `perm[k]`; reversed by default. */
export interface TransposeParams {
  readonly perm?: readonly number[];
}

/**
 * The axes in another order: axis k of the result is axis `perm[k]`. Without `perm` they are turned around. A view.
 *
 * ```ts
 * transpose(tensor([[1, 2, 3], [4, 5, 6]])).toArray() // => [[1, 4], [2, 5], [3, 6]]
 * ```
 *
 * @throws EinstreamError E_SHAPE when `perm` does not name every axis once
 */
export const transpose = defineOp<1, TransposeParams>({
  name: 'transpose',
  doc: 'The axes in another order; turned around by default.',
  aliases: ['permute'],
  arity: 1,
  params: { perm: optionalIntegers },
  dtype: highest,
  shape: transposedDims,
  view: (input, { perm }) => transposeLayout(input, perm),
  vjp: (dy, _inputs, _y, g, { perm }) => [g.transpose(dy, perm === undefined ? {} : { perm: inverse(perm) })],
  examples: [
    {
      inputs: [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      params: { perm: [1, 0] },
      output: [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    },
  ],
});

function transposedDims([dims]: readonly (Dims | undefined)[], { perm }: TransposeParams, place: Place): Dims | undefined {
  if (perm === undefined) return dims === undefined ? undefined : [...dims].reverse();
  const rank = dims?.length ?? perm.length;
  const order = normalizeAxes(perm, rank, place);
  if (order.length !== rank) {
    throw fault('E_SHAPE', {
      ...place,
      rule: 'perm must name every axis once',
      expected: `${rank} axes`,
      actual: `[${perm.join(', ')}]`,
    });
  }
  return order.map((axis) => dims?.[axis] ?? null);
}

/** The order that undoes another; negative axes count from the end. */
const inverse = (perm: readonly number[]): readonly number[] => {
  const order = perm.map((axis) => (axis < 0 ? axis + perm.length : axis));
  return order.map((_, axis) => order.indexOf(axis));
};
