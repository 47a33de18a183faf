/**
 * @file Comparisons of two broadcast operands. The answer is bool; NaN is unequal to all, and neither less nor greater.
 */
import { defineOp } from '../op.js';
import { real } from '../params.js';
import { booleanBinary } from '../rules.js';
import { s, type Scalar } from '../scalar.js';
import { flat } from '../vjp.js';

/** What still counts as equal. */
export interface EqualityParams {
  /** Largest absolute difference that still counts as equal. Default 0. */
  readonly tolerance?: number;
}

/** Equal, or apart by no more than the tolerance. Equality comes first for the sake of infinities. */
const isNear = (x: Scalar, y: Scalar, tolerance = 0): Scalar =>
  tolerance === 0 ? s.eq(x, y) : s.or(s.eq(x, y), s.le(s.abs(s.sub(x, y)), tolerance));

/**
 * x = y, exactly unless a tolerance (absolute) is given.
 *
 * ```ts
 * equal(tensor([1, 1.0001]), 1, { tolerance: 1e-3 }).toArray() // => [true, true]
 * ```
 */
export const equal = defineOp<2, EqualityParams>({
  ...booleanBinary,
  name: 'equal',
  aliases: ['eq'],
  doc: 'x = y, or |x − y| ≤ tolerance.',
  params: { tolerance: real(0) },
  exprFor:
    ({ tolerance }) =>
    (x, y) =>
      isNear(x, y, tolerance),
  vjp: flat,
  examples: [
    {
      inputs: [
        [1, 2, NaN],
        [1, 3, NaN],
      ],
      output: [true, false, false],
    },
  ],
});

/**
 * x ≠ y, exactly unless a tolerance (absolute) is given.
 *
 * ```ts
 * notEqual(tensor([1, 2, NaN]), tensor([1, 3, NaN])).toArray() // => [false, true, true]
 * ```
 */
export const notEqual = defineOp<2, EqualityParams>({
  ...booleanBinary,
  name: 'notEqual',
  aliases: ['not_equal', 'ne'],
  doc: 'Not (x = y), nor |x − y| ≤ tolerance.',
  params: { tolerance: real(0) },
  exprFor:
    ({ tolerance }) =>
    (x, y) =>
      s.not(isNear(x, y, tolerance)),
  vjp: flat,
  examples: [
    {
      inputs: [
        [1, 2, NaN],
        [1, 3, NaN],
      ],
      output: [false, true, true],
    },
  ],
});

/**
 * x < y, as bool.
 *
 * ```ts
 * less(tensor([1, 2]), tensor([2])).toArray() // => [true, false]
 * ```
 */
export const less = defineOp({
  ...booleanBinary,
  name: 'less',
  aliases: ['lt', 'less_than', 'lessThan'],
  doc: 'x < y.',
  expr: s.lt,
  vjp: flat,
  examples: [{ inputs: [[1, 2], [2]], output: [true, false] }],
});

/**
 * x ≤ y, as bool.
 *
 * ```ts
 * lessEqual(tensor([2, 3]), tensor([2])).toArray() // => [true, false]
 * ```
 */
export const lessEqual = defineOp({
  ...booleanBinary,
  name: 'lessEqual',
  aliases: ['less_equal', 'le', 'lte', 'less_than_or_equal', 'lessThanOrEqual'],
  doc: 'x ≤ y.',
  expr: s.le,
  vjp: flat,
  examples: [{ inputs: [[2, 3], [2]], output: [true, false] }],
});

/**
 * x > y, as bool.
 *
 * ```ts
 * greater(tensor([2, 3]), tensor([2])).toArray() // => [false, true]
 * ```
 */
export const greater = defineOp({
  ...booleanBinary,
  name: 'greater',
  aliases: ['gt', 'greater_than', 'greaterThan'],
  doc: 'x > y.',
  expr: s.gt,
  vjp: flat,
  examples: [{ inputs: [[2, 3], [2]], output: [false, true] }],
});

/**
 * x ≥ y, as bool.
 *
 * ```ts
 * greaterEqual(tensor([1, 2]), tensor([2])).toArray() // => [false, true]
 * ```
 */
export const greaterEqual = defineOp({
  ...booleanBinary,
  name: 'greaterEqual',
  aliases: ['greater_equal', 'ge', 'gte', 'greater_than_or_equal', 'greaterThanOrEqual'],
  doc: 'x ≥ y.',
  expr: s.ge,
  vjp: flat,
  examples: [{ inputs: [[1, 2], [2]], output: [false, true] }],
});
