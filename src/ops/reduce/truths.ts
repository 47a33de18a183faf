/**
 * @file Elements as truth values: whatever is not 0 is true, and so is NaN.
 */
import { s, type Scalar } from '../scalar.js';
import { boolean } from '../rules.js';
import { defineReduction } from './reduction.js';
import { flat } from '../vjp.js';

const truth = ([x]: readonly Scalar[]): Scalar => s.ne(x, 0);

/**
 * True where some element along `axis` is not 0; false of nothing.
 *
 * ```ts
 * any(tensor([[0, 2], [0, 0]]), { axis: 1 }).toArray() // => [true, false]
 * ```
 */
export const any = defineReduction({
  name: 'any',
  doc: 'True where some element along the axes is not 0; false for none. NaN is true.',
  dtype: boolean,
  empty: 'value',
  folds: [{ monoid: 'max', value: truth }],
  result:
    () =>
    ([some]) =>
      s.gt(some, 0), // −∞, the largest of nothing, is false
  vjp: flat,
  examples: [
    {
      inputs: [
        [
          [0, 2],
          [0, 0],
        ],
      ],
      params: { axis: 1 },
      output: [true, false],
    },
  ],
});

/**
 * True where every element along `axis` is not 0; true of nothing.
 *
 * ```ts
 * all(tensor([[1, 2], [0, 2]]), { axis: 1 }).toArray() // => [true, false]
 * ```
 */
export const all = defineReduction({
  name: 'all',
  doc: 'True where every element along the axes is not 0; true for none. NaN is true.',
  dtype: boolean,
  empty: 'value',
  folds: [{ monoid: 'min', value: truth }],
  result:
    () =>
    ([every]) =>
      s.gt(every, 0),
  vjp: flat,
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [0, 2],
        ],
      ],
      params: { axis: 1 },
      output: [true, false],
    },
  ],
});

/**
 * Number of elements along `axis` that are not 0 (NaN counts). int32.
 *
 * ```ts
 * count(tensor([[1, 0, 3], [0, 0, 0]]), { axis: 1 }).toArray() // => [2, 0]
 * ```
 */
export const count = defineReduction({
  name: 'count',
  doc: 'Number of elements along the axes that are not 0. NaN counts.',
  aliases: ['count_nonzero'],
  dtype: () => 'int32',
  empty: 'value',
  tolerance: { relative: 0, absolute: 0 },
  folds: [{ monoid: 'sum', value: truth }],
  result:
    () =>
    ([total]) =>
      total,
  vjp: flat,
  examples: [
    {
      inputs: [
        [
          [1, 0, 3],
          [0, 0, 0],
        ],
      ],
      params: { axis: 1 },
      output: [2, 0],
    },
  ],
});
