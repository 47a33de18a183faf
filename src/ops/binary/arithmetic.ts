/**
 * @file Arithmetic of two broadcast operands.
 *
 * int32 is exact modulo 2³². bool counts as int32 0 and 1. Only `div` turns int32 into float32.
 */
import { defineOp } from '../op.js';
import { arithmeticBinary, floatBinary } from '../rules.js';
import { s } from '../scalar.js';

/** x + y. */
export const add = defineOp({
  ...arithmeticBinary,
  name: 'add',
  doc: 'x + y.',
  expr: s.add,
  examples: [{ inputs: [[1, 2], [10]], output: [11, 12] }],
});

/** x − y. */
export const sub = defineOp({
  ...arithmeticBinary,
  name: 'sub',
  aliases: ['subtract'],
  doc: 'x − y.',
  expr: s.sub,
  examples: [{ inputs: [[1, 2], [10]], output: [-9, -8] }],
});

/** x·y. */
export const mul = defineOp({
  ...arithmeticBinary,
  name: 'mul',
  aliases: ['multiply'],
  doc: 'x·y.',
  expr: s.mul,
  examples: [{ inputs: [[1, 2], [10]], output: [10, 20] }],
});

/** x/y, IEEE 754: 1/0 = ∞, 0/0 = NaN. int32 gives float32. */
export const div = defineOp({
  ...floatBinary,
  name: 'div',
  aliases: ['divide', 'true_divide', 'trueDivide'],
  doc: 'x/y (IEEE 754: 1/0 = ∞, 0/0 = NaN). int32 gives float32.',
  expr: s.div,
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
 * xʸ as in C: x⁰ = 1 and 1ʸ = 1 whatever the other is. int32 wraps; a negative power of an int32 is its reciprocal,
 * truncated: 0 but for ±1.
 */
export const pow = defineOp({
  ...arithmeticBinary,
  name: 'pow',
  aliases: ['power'],
  doc: 'xʸ (C99: x⁰ = 1ʸ = 1, also for NaN). int32 wraps; its negative powers are truncated reciprocals.',
  expr: s.pow,
  examples: [
    {
      inputs: [
        [2, 1, -1],
        [3, NaN, Infinity],
      ],
      output: [8, 1, 1],
    },
  ],
});

/** x − ⌊x/y⌋·y: the sign of the divisor. NaN for y = 0; int32 by 0 gives 0. */
export const mod = defineOp({
  ...arithmeticBinary,
  name: 'mod',
  aliases: ['modulo', 'remainder', 'floor_mod', 'floorMod'],
  doc: 'x − ⌊x/y⌋·y, with the sign of y (NumPy mod). int32 by 0 gives 0.',
  expr: s.mod,
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

/** C's fmod: the sign of the dividend. NaN for y = 0; int32 by 0 gives 0. */
export const fmod = defineOp({
  ...arithmeticBinary,
  name: 'fmod',
  doc: 'x − trunc(x/y)·y, with the sign of x (C fmod). int32 by 0 gives 0.',
  expr: s.fmod,
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

/** The larger; NaN wins, −0 is below 0. */
export const maximum = defineOp({
  ...arithmeticBinary,
  name: 'maximum',
  doc: 'The larger of two; NaN wins.',
  expr: s.max,
  examples: [
    {
      inputs: [
        [1, 5, NaN],
        [3, 2, 1],
      ],
      output: [3, 5, NaN],
    },
  ],
});

/** The smaller; NaN wins, −0 is below 0. */
export const minimum = defineOp({
  ...arithmeticBinary,
  name: 'minimum',
  doc: 'The smaller of two; NaN wins.',
  expr: s.min,
  examples: [
    {
      inputs: [
        [1, 5, NaN],
        [3, 2, 1],
      ],
      output: [1, 2, NaN],
    },
  ],
});

/** (x − y)². */
export const squaredDifference = defineOp({
  ...arithmeticBinary,
  name: 'squaredDifference',
  aliases: ['squared_difference'],
  doc: '(x − y)².',
  expr: (x, y) => {
    const difference = s.sub(x, y);
    return s.mul(difference, difference);
  },
  examples: [
    {
      inputs: [
        [1, 5],
        [3, 2],
      ],
      output: [4, 9],
    },
  ],
});
