/**
 * @file The product that gradients are made of.
 */
import { defineOp } from '../op.js';
import { arithmeticBinary } from '../rules.js';
import { s } from '../scalar.js';

/**
 * x·y, but 0 where x is 0, also where y is infinite or NaN: what does not count must not spoil what does.
 *
 * ```ts
 * mulNoNan(tensor([0, 0, 2]), tensor([Infinity, NaN, 3])).toArray() // => [0, 0, 6]
 * ```
 */
export const mulNoNan = defineOp({
  ...arithmeticBinary,
  name: 'mulNoNan',
  aliases: ['mul_no_nan', 'multiply_no_nan'],
  doc: 'x·y, but 0 where x is 0, also where y is infinite or NaN.',
  expr: (x, y) => s.select(s.eq(x, 0), 0, s.mul(x, y)),
  vjp: (dy, [x, y], _y, g) => [g.mulNoNan(dy, y), g.mulNoNan(dy, x)],
  examples: [{ inputs: [[0, 0, 2], [Infinity, NaN, 3]], output: [0, 0, 6] }], // prettier-ignore
});
