/**
 * @file softmax and its logarithm, stable: the largest element of each group is taken off first.
 */
import { foldAxes, type Axes } from '../foldAxes.js';
import { defineOp, type Fold, type FoldRule, type Op } from '../op.js';
import { axes } from '../params.js';
import { floating } from '../rules.js';
import { s } from '../scalar.js';
import { largest } from '../stable.js';
import type { Vjp } from '../vjp.js';

/** `axis`: one, several, or null for all; the last by default. */
export interface SoftmaxParams {
  readonly axis?: Axes;
}

// The shift stays −∞ (or +∞) where all is: −∞ − −∞ is NaN, which says that nothing was left to choose from.
const folds: readonly Fold[] = [largest, { monoid: 'sum', value: ([x], [peak]) => s.exp(s.sub(x, peak)) }];

const defineSoftmax = (definition: {
  readonly name: string;
  readonly doc: string;
  readonly aliases?: readonly string[];
  readonly result: FoldRule['result'];
  readonly vjp: Vjp<SoftmaxParams>;
  readonly output: readonly number[];
}): Op<1, SoftmaxParams> =>
  defineOp<1, SoftmaxParams>({
    name: definition.name,
    doc: definition.doc,
    aliases: definition.aliases,
    arity: 1,
    params: { axis: axes([-1]) },
    dtype: floating,
    shape: ([dims], { axis }, place) => {
      if (dims !== undefined) foldAxes(axis, dims.length, place);
      return dims;
    },
    fold: ({ axis }, [shape]) => ({
      axes: foldAxes(axis, shape.length, definition.name),
      folds,
      result: definition.result,
      emits: 'element',
    }),
    vjp: definition.vjp,
    tolerance: { relative: 1e-5, absolute: 1e-7 },
    examples: [{ inputs: [[1000, 1001, 1002]], output: definition.output }],
  });

/**
 * Exponentials that sum to 1 along `axis`. Masked entries (−∞) are exactly 0. A group of only −∞ has nothing to choose
 * from and gives NaN, as in NumPy and torch; a group with +∞ gives NaN.
 *
 * ```ts
 * softmax(tensor([1000, 1000])).toArray() // => [0.5, 0.5]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that the tensor does not have
 */
export const softmax = defineSoftmax({
  name: 'softmax',
  doc: 'Exponentials that sum to 1 along the axes. A group of only −∞ gives NaN.',
  result: ([peak, total], [x]) => s.div(s.exp(s.sub(x, peak)), total),
  vjp: (dy, _inputs, y, g, { axis = [-1] }) => {
    const weighted = g.mulNoNan(dy, y);
    return [g.sub(weighted, g.mul(y, g.sum(weighted, { axis, keepdims: true })))];
  },
  output: [0.09003057, 0.24472847, 0.66524096],
});

/**
 * Logarithm of softmax, without the underflow: a masked entry is −∞, a small one keeps its digits.
 *
 * ```ts
 * logSoftmax(tensor([10000, 0])).toArray() // => [0, -10000]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that the tensor does not have
 */
export const logSoftmax = defineSoftmax({
  name: 'logSoftmax',
  doc: 'Logarithm of softmax along the axes. A group of only −∞ gives NaN.',
  aliases: ['log_softmax', 'logsoftmax'],
  result: ([peak, total], [x]) => s.sub(s.sub(x, peak), s.log(total)),
  vjp: (dy, _inputs, y, g, { axis = [-1] }) => [g.sub(dy, g.mul(g.exp(y), g.sum(dy, { axis, keepdims: true })))],
  output: [-2.407606, -1.407606, -0.407606],
});
