/**
 * @file Questions about one number. The answer is bool.
 */
import { defineOp } from '../op.js';
import { booleanUnary } from '../rules.js';
import { s } from '../scalar.js';
import { flat } from '../vjp.js';

/**
 * True for NaN alone, as bool.
 *
 * ```ts
 * isnan(tensor([NaN, 1])).toArray() // => [true, false]
 * ```
 */
export const isnan = defineOp({
  ...booleanUnary,
  name: 'isnan',
  aliases: ['is_nan', 'isNaN'],
  doc: 'True for NaN.',
  expr: s.isnan,
  vjp: flat,
  examples: [
    [NaN, 1],
    [1, 0],
  ],
});

/**
 * True for what is neither NaN nor ±∞.
 *
 * ```ts
 * isfinite(tensor([1, Infinity, NaN])).toArray() // => [true, false, false]
 * ```
 */
export const isfinite = defineOp({
  ...booleanUnary,
  name: 'isfinite',
  aliases: ['is_finite', 'isFinite'],
  doc: 'True for what is neither NaN nor ±∞.',
  expr: s.isfinite,
  vjp: flat,
  examples: [
    [1, 1],
    [Infinity, 0],
    [NaN, 0],
  ],
});

/**
 * True for ±∞ alone, as bool.
 *
 * ```ts
 * isinf(tensor([-Infinity, NaN])).toArray() // => [true, false]
 * ```
 */
export const isinf = defineOp({
  ...booleanUnary,
  name: 'isinf',
  aliases: ['is_inf', 'isInf'],
  doc: 'True for ±∞.',
  expr: s.isinf,
  vjp: flat,
  examples: [
    [-Infinity, 1],
    [NaN, 0],
  ],
});

/**
 * True for 0 and −0 alone: NaN is not zero, so it counts as true (NumPy's rule, not JavaScript's).
 *
 * ```ts
 * logicalNot(tensor([0, 2, NaN])).toArray() // => [true, false, false]
 * ```
 */
export const logicalNot = defineOp({
  ...booleanUnary,
  name: 'logicalNot',
  aliases: ['logical_not', 'not'],
  doc: 'True for zero alone; NaN counts as true.',
  expr: s.not,
  vjp: flat,
  examples: [
    [0, 1],
    [2, 0],
    [NaN, 0],
  ],
});
