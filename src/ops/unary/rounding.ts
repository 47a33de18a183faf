/**
 * @file Rounding to whole numbers. int32 keeps its values, bool counts as int32; NaN, ±∞ and −0 stay.
 */
import { defineOp } from '../op.js';
import { arithmeticUnary } from '../rules.js';
import { s } from '../scalar.js';
import { flat } from '../vjp.js';

/**
 * ⌊x⌋, the largest integer not above x.
 *
 * ```ts
 * floor(tensor([1.5, -1.5])).toArray() // => [1, -2]
 * ```
 */
export const floor = defineOp({
  ...arithmeticUnary,
  name: 'floor',
  doc: '⌊x⌋, the largest integer not above x.',
  expr: s.floor,
  vjp: flat,
  examples: [
    [1.5, 1],
    [-1.5, -2],
  ],
});

/**
 * ⌈x⌉, the smallest integer not below x.
 *
 * ```ts
 * ceil(tensor([1.5, -0.5])).toArray() // => [2, -0]
 * ```
 */
export const ceil = defineOp({
  ...arithmeticUnary,
  name: 'ceil',
  doc: '⌈x⌉, the smallest integer not below x.',
  expr: s.ceil,
  vjp: flat,
  examples: [
    [1.5, 2],
    [-0.5, -0],
  ],
});

/**
 * The nearest integer; halves go to the even neighbour (IEEE 754 roundTiesToEven, as NumPy).
 *
 * ```ts
 * round(tensor([0.5, 1.5, 2.5])).toArray() // => [0, 2, 2]
 * ```
 */
export const round = defineOp({
  ...arithmeticUnary,
  name: 'round',
  aliases: ['rint'],
  doc: 'The nearest integer, halves to even (IEEE 754 roundTiesToEven).',
  expr: s.round,
  vjp: flat,
  examples: [
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [-0.5, -0],
  ],
});

/**
 * The integer towards zero.
 *
 * ```ts
 * trunc(tensor([1.5, -1.5])).toArray() // => [1, -1]
 * ```
 */
export const trunc = defineOp({
  ...arithmeticUnary,
  name: 'trunc',
  aliases: ['fix'],
  doc: 'The integer part, towards zero.',
  expr: s.trunc,
  vjp: flat,
  examples: [
    [1.5, 1],
    [-1.5, -1],
  ],
});
