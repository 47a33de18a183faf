/**
 * @file Axes backwards.
 */
import { sliceLayout } from '../../tensor/view/slice.js';
import { reversed } from '../../tensor/view/specs.js';
import { foldAxes, type Axes } from '../foldAxes.js';
import { defineOp } from '../op.js';
import { axes } from '../params.js';
import { highest } from '../rules.js';

/** What to turn around: one axis, several, or all where absent. */
export interface FlipParams {
  readonly axis?: Axes;
}

/**
 * The axes given, or all, backwards. A view with negative strides.
 *
 * ```ts
 * flip(tensor([[1, 2], [3, 4]]), { axis: 1 }).toArray() // => [[2, 1], [4, 3]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that the tensor does not have
 */
export const flip = defineOp<1, FlipParams>({
  name: 'flip',
  doc: 'The axes given, or all, backwards.',
  arity: 1,
  params: { axis: axes(null) },
  dtype: highest,
  shape: ([dims], { axis }, place) => {
    if (dims !== undefined) foldAxes(axis, dims.length, place);
    return dims;
  },
  view: (input, { axis }) => {
    const turned = foldAxes(axis, input.shape.length, 'flip');
    return sliceLayout(
      input,
      input.shape.map((_, at) => (turned.includes(at) ? reversed : null)),
    );
  },
  vjp: (dy, _inputs, _y, g, params) => [g.flip(dy, params)],
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { axis: 1 },
      output: [
        [2, 1],
        [4, 3],
      ],
    },
  ],
});
