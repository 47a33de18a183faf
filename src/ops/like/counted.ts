/**
 * @file What a tensor's shape says, as a tensor: sizes and indices that are known when it runs.
 */
import { normalizeAxis } from '../../tensor/axis.js';
import { foldAxes } from '../foldAxes.js';
import { defineOp } from '../op.js';
import { axes, integer } from '../params.js';
import { s } from '../scalar.js';
import { flat } from '../vjp.js';

/** The axes that are counted; all where absent. */
export interface SizeParams {
  readonly axis?: number | readonly number[] | null;
}

/**
 * How many elements there are along `axis`: a scalar of the dtype of x, so that it can be divided by.
 *
 * ```ts
 * sizeAlong(zeros([2, 3]), { axis: 1 }).toArray() // => 3
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that the tensor does not have
 */
export const sizeAlong = defineOp<1, SizeParams>({
  name: 'sizeAlong',
  aliases: ['size_along'],
  doc: 'How many elements there are along the axes, as a scalar of the operand’s dtype.',
  arity: 1,
  params: { axis: axes(null) },
  dtype: ([x]) => x,
  shape: ([dims], { axis }, place) => {
    if (dims !== undefined) foldAxes(axis, dims.length, place);
    return [];
  },
  fold: ({ axis }, [shape]) => {
    const size = foldAxes(axis, shape.length, 'sizeAlong').reduce((product, at) => product * shape[at], 1);
    return { axes: shape.map((_, at) => at), folds: [], result: () => s.constant(size), emits: 'group' };
  },
  vjp: flat,
  tolerance: { relative: 0, absolute: 0 },
  examples: [{ inputs: [[1, 2, 3]], output: 3 }],
});

/** The axis that is counted along. */
export interface IotaParams {
  readonly axis?: number;
}

/**
 * The index of each element along `axis`, of the shape of x: int32.
 *
 * ```ts
 * iota(zeros([2, 3]), { axis: 1 }).toArray() // => [[0, 1, 2], [0, 1, 2]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that the tensor does not have
 */
export const iota = defineOp<1, IotaParams>({
  name: 'iota',
  doc: 'The index of each element along an axis, of the operand’s shape.',
  arity: 1,
  params: { axis: integer(0) },
  dtype: () => 'int32',
  shape: ([dims], { axis = 0 }, place) => {
    if (dims !== undefined) normalizeAxis(axis, dims.length, place);
    return dims;
  },
  fold: ({ axis = 0 }, [shape]) => ({
    axes: [normalizeAxis(axis, shape.length, 'iota')],
    folds: [],
    result: () => s.position,
    emits: 'element',
  }),
  vjp: flat,
  tolerance: { relative: 0, absolute: 0 },
  examples: [{ inputs: [[5, 5, 5]], output: [0, 1, 2] }],
});
