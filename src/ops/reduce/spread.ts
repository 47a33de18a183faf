/**
 * @file Variance and standard deviation, in two passes: the mean first, then the squares of the distances from it.
 *
 * The sum of squares less the square of the sum would lose every digit at 1e8 ± 1.
 */
import { integer } from '../params.js';
import type { Operand } from '../interpreter.js';
import { s, type Scalar } from '../scalar.js';
import type { GradientOps } from '../vjp.js';
import type { Fold } from '../op.js';
import { floating } from '../rules.js';
import { defineReduction, type ReduceParams } from './reduction.js';
import { countAlong, spread } from './backwards.js';

/** `ddof`: the degrees of freedom taken off the count; 0 (the default) for a population, 1 for a sample. */
export interface SpreadParams extends ReduceParams {
  readonly ddof?: number;
}

const folds: readonly Fold[] = [
  { monoid: 'sum', value: ([x]) => x },
  {
    monoid: 'sum',
    value: ([x], [total]) => {
      const distance = s.sub(x, s.div(total, s.count));
      return s.mul(distance, distance);
    },
  },
];

const varianceOf = (squares: Scalar, ddof = 0): Scalar => s.div(squares, s.max(s.sub(s.count, ddof), 0));

/**
 * Variance along `axis`: the mean squared distance from the mean, with `count − ddof` as divisor. NaN where that is 0.
 *
 * ```ts
 * variance(tensor([1, 2, 3, 4])).toArray() // => 1.25
 * variance(tensor([1, 2, 3]), { ddof: 1 }).toArray() // => 1
 * ```
 */
export const variance = defineReduction<SpreadParams>({
  name: 'var',
  doc: 'Mean squared distance from the mean along the axes, with count − ddof as divisor.',
  aliases: ['variance'],
  params: { ddof: integer(0) },
  dtype: floating,
  empty: 'value',
  folds,
  result:
    ({ ddof }) =>
    ([, squares]) =>
      varianceOf(squares, ddof),
  vjp: (dy, [x], _y, g, params) => [g.mulNoNan(spread(dy, params, g), g.mul(2, deviation(x, params, g)))],
  examples: [
    { inputs: [[[1, 2, 3, 4]]], params: { axis: 1 }, output: [1.25] },
    { inputs: [[[1, 2, 3]]], params: { axis: 1, ddof: 1 }, output: [1] },
  ],
});

/**
 * Standard deviation along `axis`: the square root of the variance.
 *
 * ```ts
 * std(tensor([2, 4, 4, 4, 5, 5, 7, 9])).toArray() // => 2
 * ```
 */
export const std = defineReduction<SpreadParams>({
  name: 'std',
  doc: 'Square root of the variance along the axes, with count − ddof as divisor.',
  params: { ddof: integer(0) },
  dtype: floating,
  empty: 'value',
  folds,
  result:
    ({ ddof }) =>
    ([, squares]) =>
      s.sqrt(varianceOf(squares, ddof)),
  vjp: (dy, [x], y, g, params) => {
    const steepness = g.where(g.equal(y, 0), 0, g.reciprocal(y));
    return [g.mulNoNan(spread(g.mulNoNan(dy, steepness), params, g), deviation(x, params, g))];
  },
  examples: [{ inputs: [[2, 4, 4, 4, 5, 5, 7, 9]], output: 2 }],
});

/** (x − mean) / (count − ddof): half the slope of the variance. */
function deviation(x: Operand, { axis = null, ddof = 0, ...rest }: SpreadParams, g: GradientOps): Operand {
  const centred = g.sub(x, g.mean(x, { axis, keepdims: true }));
  return g.div(centred, g.maximum(g.sub(countAlong(x, { axis, ...rest }, g), ddof), 0));
}
