/**
 * @file Signs, magnitudes and what passes a value on. int32 stays int32 and wraps: −(−2³¹) = |−2³¹| = −2³¹.
 */
import { defineOp } from '../op.js';
import { arithmeticUnary, broadcastShape, floatUnary, highest } from '../rules.js';
import { s } from '../scalar.js';
import { flat, slope } from '../vjp.js';

/**
 * −x. bool gives int32.
 *
 * ```ts
 * neg(tensor([2, 0])).toArray() // => [-2, -0]
 * ```
 */
export const neg = defineOp({
  ...arithmeticUnary,
  name: 'neg',
  aliases: ['negate', 'negative'],
  doc: '−x; bool gives int32.',
  expr: s.neg,
  vjp: (dy, _inputs, _y, g) => [g.neg(dy)],
  examples: [
    [2, -2],
    [0, -0],
  ],
});

/**
 * |x|, the magnitude.
 *
 * ```ts
 * abs(tensor([-2, -0])).toArray() // => [2, 0]
 * ```
 */
export const abs = defineOp({
  ...arithmeticUnary,
  name: 'abs',
  aliases: ['absolute', 'fabs'],
  doc: '|x|.',
  expr: s.abs,
  vjp: slope((x, _y, g) => g.sign(x)),
  examples: [
    [-2, 2],
    [-0, 0],
  ],
});

/**
 * −1, 0 or 1; NaN stays.
 *
 * ```ts
 * sign(tensor([-2, 0, NaN])).toArray() // => [-1, 0, NaN]
 * ```
 */
export const sign = defineOp({
  ...arithmeticUnary,
  name: 'sign',
  aliases: ['sgn'],
  doc: '−1, 0 or 1 by the sign of x; NaN stays.',
  expr: s.sign,
  vjp: flat,
  examples: [
    [-2, -1],
    [0, 0],
    [NaN, NaN],
  ],
});

/**
 * x², without a call of pow.
 *
 * ```ts
 * square(tensor([-3])).toArray() // => [9]
 * ```
 */
export const square = defineOp({
  ...arithmeticUnary,
  name: 'square',
  doc: 'x².',
  expr: (x) => s.mul(x, x),
  vjp: slope((x, _y, g) => g.mul(2, x)),
  examples: [[-3, 9]],
});

/**
 * 1/x; ±∞ at ±0, and int32 gives float32.
 *
 * ```ts
 * reciprocal(tensor([4, 0])).toArray() // => [0.25, Infinity]
 * ```
 */
export const reciprocal = defineOp({
  ...floatUnary,
  name: 'reciprocal',
  doc: '1/x; ±∞ at ±0.',
  expr: (x) => s.div(1, x),
  vjp: slope((_x, y, g) => g.neg(g.square(y))),
  examples: [
    [4, 0.25],
    [0, Infinity],
  ],
});

/**
 * 1 − x, the standard negation of soft truth.
 *
 * ```ts
 * oneMinus(tensor([0.25])).toArray() // => [0.75]
 * ```
 */
export const oneMinus = defineOp({
  ...arithmeticUnary,
  name: 'oneMinus',
  aliases: ['one_minus', 'oneminus'],
  doc: '1 − x, the standard negation of soft truth.',
  expr: (x) => s.sub(1, x),
  vjp: (dy, _inputs, _y, g) => [g.neg(dy)],
  examples: [[0.25, 0.75]],
});

/**
 * x itself, as a new tensor.
 *
 * ```ts
 * identity(tensor([3])).toArray() // => [3]
 * ```
 */
export const identity = defineOp({
  arity: 1,
  dtype: highest,
  shape: broadcastShape,
  name: 'identity',
  aliases: ['copy'],
  doc: 'x.',
  expr: (x) => x,
  vjp: (dy) => [dy],
  examples: [[3, 3]],
});

/**
 * x itself, and a constant to every gradient.
 *
 * ```ts
 * stopGradient(tensor([3])).toArray() // => [3]
 * ```
 */
export const stopGradient = defineOp({
  arity: 1,
  dtype: highest,
  shape: broadcastShape,
  name: 'stopGradient',
  aliases: ['stop_gradient', 'detach'],
  doc: 'x; gradients take it for a constant.',
  expr: (x) => x,
  vjp: flat,
  examples: [[3, 3]],
});
