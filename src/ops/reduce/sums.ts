/**
 * @file Sums and what is made of them. They add in float64 on the reference backend, whatever is stored.
 */
import { s } from '../scalar.js';
import { arithmetic, floating } from '../rules.js';
import { defineReduction } from './reduction.js';
import { countAlong, spread } from './backwards.js';
import { productOfOthers } from './product-of-others.js';
import { broadcastAs } from '../as-shape.js';

/**
 * Sum of the elements along `axis`. Of nothing it is 0; int32 and bool give int32, which wraps.
 *
 * ```ts
 * sum(tensor([[1, 2], [3, 4]]), { axis: 0 }).toArray() // => [4, 6]
 * sum(tensor([[1, 2], [3, 4]])).toArray() // => 10
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that the tensor does not have
 */
export const sum = defineReduction({
  name: 'sum',
  doc: 'Sum of the elements along the axes; 0 for none. int32 and bool give int32, which wraps.',
  dtype: arithmetic,
  empty: 'value',
  folds: [{ monoid: 'sum', value: ([x]) => x }],
  result:
    () =>
    ([total]) =>
      total,
  vjp: (dy, [x], _y, g, params) => [broadcastAs(spread(dy, params, g), x, g)],
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { axis: 0 },
      output: [4, 6],
    },
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { axis: -1, keepdims: true },
      output: [[3], [7]],
    },
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      output: 10,
    },
  ],
});

/**
 * Arithmetic mean along `axis`; NaN of nothing. int32 and bool give float32.
 *
 * ```ts
 * mean(tensor([[1, 2], [3, 6]]), { axis: 1 }).toArray() // => [1.5, 4.5]
 * ```
 */
export const mean = defineReduction({
  name: 'mean',
  doc: 'Arithmetic mean along the axes; NaN for no elements.',
  dtype: floating,
  empty: 'value',
  folds: [{ monoid: 'sum', value: ([x]) => x }],
  result:
    () =>
    ([total]) =>
      s.div(total, s.count),
  vjp: (dy, [x], _y, g, params) => [broadcastAs(spread(g.div(dy, countAlong(x, params, g)), params, g), x, g)],
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 6],
        ],
      ],
      params: { axis: 1 },
      output: [1.5, 4.5],
    },
  ],
});

/**
 * Product along `axis`. Of nothing it is 1; int32 and bool give int32, which wraps.
 *
 * ```ts
 * prod(tensor([2, 3, 4])).toArray() // => 24
 * ```
 */
export const prod = defineReduction({
  name: 'prod',
  doc: 'Product of the elements along the axes; 1 for none. int32 and bool give int32, which wraps.',
  aliases: ['product'],
  dtype: arithmetic,
  empty: 'value',
  folds: [{ monoid: 'prod', value: ([x]) => x }],
  result:
    () =>
    ([product]) =>
      product,
  vjp: (dy, [x], _y, g, params) => [g.mulNoNan(spread(dy, params, g), productOfOthers(x, params.axis ?? null, g))],
  examples: [
    {
      inputs: [
        [
          [2, 3],
          [4, 5],
        ],
      ],
      params: { axis: 1 },
      output: [6, 20],
    },
  ],
});

/**
 * Sum of the squares along `axis`.
 *
 * ```ts
 * sumsq(tensor([3, 4])).toArray() // => 25
 * ```
 */
export const sumsq = defineReduction({
  name: 'sumsq',
  doc: 'Sum of the squares along the axes; 0 for none.',
  dtype: arithmetic,
  empty: 'value',
  folds: [{ monoid: 'sum', value: ([x]) => s.mul(x, x) }],
  result:
    () =>
    ([total]) =>
      total,
  vjp: (dy, [x], _y, g, params) => [g.mulNoNan(spread(dy, params, g), g.mul(2, x))],
  examples: [
    {
      inputs: [
        [
          [3, 4],
          [1, 2],
        ],
      ],
      params: { axis: 1 },
      output: [25, 5],
    },
  ],
});

/**
 * Euclidean norm along `axis`: the square root of the sum of squares, added in float64.
 *
 * ```ts
 * l2norm(tensor([3, 4])).toArray() // => 5
 * ```
 */
export const l2norm = defineReduction({
  name: 'l2norm',
  doc: 'Euclidean norm along the axes; 0 for no elements.',
  aliases: ['norm'],
  dtype: floating,
  empty: 'value',
  folds: [{ monoid: 'sum', value: ([x]) => s.mul(x, x) }],
  result:
    () =>
    ([total]) =>
      s.sqrt(total),
  vjp: (dy, [x], y, g, params) => [g.mulNoNan(spread(g.mulNoNan(dy, g.where(g.equal(y, 0), 0, g.reciprocal(y))), params, g), x)],
  examples: [
    {
      inputs: [
        [
          [3, 4],
          [6, 8],
        ],
      ],
      params: { axis: -1 },
      output: [5, 10],
    },
  ],
});
