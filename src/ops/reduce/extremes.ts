/**
 * @file Largest and smallest, and where they are. NaN wins; there is no extreme of nothing.
 */
import { s, type Scalar } from '../scalar.js';
import type { Fold } from '../op.js';
import { highest } from '../rules.js';
import { defineReduction } from './reduction.js';
import { flat } from '../vjp.js';
import { shared } from './backwards.js';

/**
 * Largest element along `axis`. A NaN wins.
 *
 * ```ts
 * max(tensor([[1, 5], [7, 3]]), { axis: 1 }).toArray() // => [5, 7]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming an axis without elements
 */
export const max = defineReduction({
  name: 'max',
  doc: 'Largest element along the axes. NaN wins.',
  aliases: ['amax'],
  dtype: highest,
  empty: 'error',
  tolerance: { relative: 0, absolute: 0 },
  folds: [{ monoid: 'max', value: ([x]) => x }],
  result:
    () =>
    ([best]) =>
      best,
  vjp: (dy, [x], y, g, params) => [shared(dy, x, y, g, params)],
  examples: [
    {
      inputs: [
        [
          [1, 5],
          [7, 3],
        ],
      ],
      params: { axis: 1 },
      output: [5, 7],
    },
  ],
});

/**
 * Smallest element along `axis`. A NaN wins.
 *
 * ```ts
 * min(tensor([[1, 5], [7, 3]]), { axis: 1 }).toArray() // => [1, 3]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming an axis without elements
 */
export const min = defineReduction({
  name: 'min',
  doc: 'Smallest element along the axes. NaN wins.',
  aliases: ['amin'],
  dtype: highest,
  empty: 'error',
  tolerance: { relative: 0, absolute: 0 },
  folds: [{ monoid: 'min', value: ([x]) => x }],
  result:
    () =>
    ([best]) =>
      best,
  vjp: (dy, [x], y, g, params) => [shared(dy, x, y, g, params)],
  examples: [
    {
      inputs: [
        [
          [1, 5],
          [7, 3],
        ],
      ],
      params: { axis: 1 },
      output: [1, 3],
    },
  ],
});

/** The extreme first, then the lowest position that holds it: NaN is found although it equals nothing. */
const positionOf = (monoid: 'max' | 'min'): readonly Fold[] => [
  { monoid, value: ([x]) => x },
  { monoid: 'min', value: ([x], [best]) => s.select(holds(x, best), s.position, Infinity) },
];

const holds = (x: Scalar, best: Scalar): Scalar => s.or(s.eq(x, best), s.and(s.isnan(x), s.isnan(best)));

/**
 * Position of the first largest element, or of the first NaN: along one axis its index, along several (or all) the
 * row-major index within them. int32.
 *
 * ```ts
 * argmax(tensor([[1, 5, 5], [7, 3, 0]]), { axis: 1 }).toArray() // => [1, 0]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming an axis without elements
 */
export const argmax = defineReduction({
  name: 'argmax',
  doc: 'Position of the first largest element, or of the first NaN: row-major within the folded axes.',
  dtype: () => 'int32',
  empty: 'error',
  tolerance: { relative: 0, absolute: 0 },
  folds: positionOf('max'),
  result:
    () =>
    ([, first]) =>
      first,
  vjp: flat,
  examples: [
    {
      inputs: [
        [
          [1, 5, 5],
          [7, 3, 0],
        ],
      ],
      params: { axis: 1 },
      output: [1, 0],
    },
  ],
});

/**
 * Position of the first smallest element, or of the first NaN, as `argmax` counts.
 *
 * ```ts
 * argmin(tensor([4, 2, 2])).toArray() // => 1
 * ```
 *
 * @throws EinstreamError E_SHAPE naming an axis without elements
 */
export const argmin = defineReduction({
  name: 'argmin',
  doc: 'Position of the first smallest element, or of the first NaN: row-major within the folded axes.',
  dtype: () => 'int32',
  empty: 'error',
  tolerance: { relative: 0, absolute: 0 },
  folds: positionOf('min'),
  result:
    () =>
    ([, first]) =>
      first,
  vjp: flat,
  examples: [
    {
      inputs: [
        [
          [4, 2, 2],
          [0, 1, 0],
        ],
      ],
      params: { axis: 1 },
      output: [1, 0],
    },
  ],
});
