/**
 * @file log Σ eˣ without overflow.
 */
import { s } from '../scalar.js';
import { finiteShift, largest } from '../stable.js';
import { floating } from '../rules.js';
import { defineReduction } from './reduction.js';
import { spread } from './backwards.js';

/**
 * Logarithm of the sum of exponentials along `axis`. Exact where eˣ would overflow; −∞ of nothing and of only −∞.
 *
 * ```ts
 * logsumexp(tensor([-Infinity, 1000, -Infinity])).toArray() // => 1000
 * ```
 */
export const logsumexp = defineReduction({
  name: 'logsumexp',
  doc: 'Logarithm of the sum of exponentials along the axes, without overflow; −∞ for no elements.',
  aliases: ['logSumExp', 'log_sum_exp'],
  dtype: floating,
  empty: 'value',
  folds: [largest, { monoid: 'sum', value: ([x], [peak]) => s.exp(s.sub(x, finiteShift(peak))) }],
  result:
    () =>
    ([peak, total]) =>
      s.add(s.log(total), finiteShift(peak)),
  vjp: (dy, [x], y, g, params) => {
    // Of nothing but −∞ every share is 0.
    const total = g.where(g.equal(y, -Infinity), 0, y);
    return [g.mulNoNan(spread(dy, params, g), g.exp(g.sub(x, spread(total, params, g))))];
  },
  examples: [
    {
      inputs: [
        [
          [0, 0],
          [1000, 1000],
        ],
      ],
      params: { axis: 1 },
      output: [0.6931472, 1000.6931],
    },
  ],
});
