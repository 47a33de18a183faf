/**
 * @file Quotients and remainders of two broadcast operands.
 *
 * `div` turns int32 into float32; the others leave it int32, where a division by 0 gives 0 and −2³¹ over −1 wraps.
 */
import { defineOp } from '../op.js';
import { arithmeticBinary, floatBinary } from '../rules.js';
import { s } from '../scalar.js';
import { flat } from '../vjp.js';

/**
 * x/y, IEEE 754: 1/0 = ∞, 0/0 = NaN. int32 gives float32.
 *
 * ```ts
 * div(tensor([1, 1, 0]), tensor([4, 0, 0])).toArray() // => [0.25, Infinity, NaN]
 * ```
 */
export const div = defineOp({
  ...floatBinary,
  name: 'div',
  aliases: ['divide', 'true_divide', 'trueDivide'],
  doc: 'x/y (IEEE 754: 1/0 = ∞, 0/0 = NaN). int32 gives float32.',
  expr: s.div,
  vjp: (dy, [, y], z, g) => [g.mulNoNan(dy, g.reciprocal(y)), g.mulNoNan(dy, g.neg(g.div(z, y)))],
  examples: [
    {
      inputs: [
        [1, 1, 0],
        [4, 0, 0],
      ],
      output: [0.25, Infinity, NaN],
    },
  ],
});

/**
 * x − ⌊x/y⌋·y: the sign of the divisor. NaN for y = 0; int32 by 0 gives 0.
 *
 * ```ts
 * mod(tensor([7, -7, 7, -7]), tensor([3, 3, -3, -3])).toArray() // => [1, 2, -2, -1]
 * ```
 */
export const mod = defineOp({
  ...arithmeticBinary,
  name: 'mod',
  aliases: ['modulo', 'remainder', 'floor_mod', 'floorMod'],
  doc: 'x − ⌊x/y⌋·y, with the sign of y (NumPy mod). int32 by 0 gives 0.',
  expr: s.mod,
  vjp: (dy, [x, y], _z, g) => [dy, g.neg(g.mulNoNan(dy, g.floor(g.div(x, y))))],
  examples: [
    {
      inputs: [
        [7, -7, 7, -7],
        [3, 3, -3, -3],
      ],
      output: [1, 2, -2, -1],
    },
  ],
});

/**
 * C's fmod: the sign of the dividend. NaN for y = 0; int32 by 0 gives 0.
 *
 * ```ts
 * fmod(tensor([7, -7, 7, -7]), tensor([3, 3, -3, -3])).toArray() // => [1, -1, 1, -1]
 * ```
 */
export const fmod = defineOp({
  ...arithmeticBinary,
  name: 'fmod',
  doc: 'x − trunc(x/y)·y, with the sign of x (C fmod). int32 by 0 gives 0.',
  expr: s.fmod,
  vjp: (dy, [x, y], _z, g) => [dy, g.neg(g.mulNoNan(dy, g.trunc(g.div(x, y))))],
  examples: [
    {
      inputs: [
        [7, -7, 7, -7],
        [3, 3, -3, -3],
      ],
      output: [1, -1, 1, -1],
    },
  ],
});

/**
 * ⌊x/y⌋ of the exact quotient, so that 1 over the float64 nearest 0.1 is 9, as in NumPy. x/y for y = 0.
 * int32 by 0 gives 0; −2³¹ by −1 wraps to −2³¹.
 *
 * ```ts
 * floorDivide(tensor([7, -7, 7, 1]), tensor([2, 2, -2, 0])).toArray() // => [3, -4, -4, Infinity]
 * ```
 */
export const floorDivide = defineOp({
  ...arithmeticBinary,
  name: 'floorDivide',
  aliases: ['floor_divide', 'floordiv', 'floorDiv'],
  doc: '⌊x/y⌋ of the exact quotient (NumPy floor_divide). int32 by 0 gives 0.',
  expr: (x, y) => {
    const rest = s.fmod(x, y);
    const towardsZero = s.div(s.sub(x, rest), y);
    const exact = s.select(s.and(s.ne(rest, 0), s.ne(s.lt(y, 0), s.lt(rest, 0))), s.sub(towardsZero, 1), towardsZero);
    // Dividing by x − rest instead of x leaves a whole number but for one rounding, which `round` takes back.
    const whole = s.select(s.eq(exact, 0), s.mul(0, s.div(x, y)), s.round(exact));
    return s.select(s.eq(y, 0), s.div(x, y), whole);
  },
  vjp: flat,
  examples: [
    {
      inputs: [
        [7, -7, 7, 1],
        [2, 2, -2, 0],
      ],
      output: [3, -4, -4, Infinity],
    },
  ],
});
