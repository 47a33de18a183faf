/**
 * @file Exponentials, logarithms and roots. int32 and bool give float32.
 */
import { defineOp } from '../op.js';
import { floatUnary } from '../rules.js';
import { s } from '../scalar.js';
import { slope } from '../vjp.js';

/**
 * eˣ; +∞ above about 88.7 in float32.
 *
 * ```ts
 * exp(tensor([0, 1, -Infinity])).toArray() // => [1, 2.718282, 0]
 * ```
 */
export const exp = defineOp({
  ...floatUnary,
  name: 'exp',
  doc: 'eˣ.',
  expr: s.exp,
  vjp: slope((_x, y) => y),
  examples: [
    [0, 1],
    [1, 2.718282],
    [-Infinity, 0],
  ],
});

/**
 * 2ˣ, the power of two.
 *
 * ```ts
 * exp2(tensor([3, -1])).toArray() // => [8, 0.5]
 * ```
 */
export const exp2 = defineOp({
  ...floatUnary,
  name: 'exp2',
  doc: '2ˣ.',
  expr: s.exp2,
  vjp: slope((_x, y, g) => g.mul(y, Math.LN2)),
  examples: [
    [3, 8],
    [-1, 0.5],
  ],
});

/**
 * eˣ − 1, exact near 0.
 *
 * ```ts
 * expm1(tensor([0, 1e-8])).toArray() // => [0, 1e-8]
 * ```
 */
export const expm1 = defineOp({
  ...floatUnary,
  name: 'expm1',
  doc: 'eˣ − 1, without cancellation near 0.',
  expr: s.expm1,
  vjp: slope((_x, y, g) => g.add(y, 1)),
  examples: [
    [0, 0],
    [1e-8, 1e-8],
  ],
});

/**
 * ln x; −∞ at 0, NaN below.
 *
 * ```ts
 * log(tensor([1, 0, -1])).toArray() // => [0, -Infinity, NaN]
 * ```
 */
export const log = defineOp({
  ...floatUnary,
  name: 'log',
  aliases: ['ln'],
  doc: 'ln x; −∞ at 0, NaN below.',
  expr: s.log,
  vjp: slope((x, _y, g) => g.reciprocal(x)),
  examples: [
    [1, 0],
    [0, -Infinity],
    [-1, NaN],
  ],
});

/**
 * log₂ x; −∞ at 0, NaN below.
 *
 * ```ts
 * log2(tensor([8])).toArray() // => [3]
 * ```
 */
export const log2 = defineOp({
  ...floatUnary,
  name: 'log2',
  doc: 'log₂ x.',
  expr: s.log2,
  vjp: slope((x, _y, g) => g.div(Math.LOG2E, x)),
  examples: [[8, 3]],
});

/**
 * log₁₀ x; −∞ at 0, NaN below.
 *
 * ```ts
 * log10(tensor([1000])).toArray() // => [3]
 * ```
 */
export const log10 = defineOp({
  ...floatUnary,
  name: 'log10',
  doc: 'log₁₀ x.',
  expr: s.log10,
  vjp: slope((x, _y, g) => g.div(Math.LOG10E, x)),
  examples: [[1000, 3]],
});

/**
 * ln(1 + x), exact near 0.
 *
 * ```ts
 * log1p(tensor([0, 1e-8])).toArray() // => [0, 1e-8]
 * ```
 */
export const log1p = defineOp({
  ...floatUnary,
  name: 'log1p',
  doc: 'ln(1 + x), without cancellation near 0.',
  expr: s.log1p,
  vjp: slope((x, _y, g) => g.reciprocal(g.add(x, 1))),
  examples: [
    [0, 0],
    [1e-8, 1e-8],
  ],
});

/**
 * √x; NaN below 0, −0 at −0.
 *
 * ```ts
 * sqrt(tensor([9, -1])).toArray() // => [3, NaN]
 * ```
 */
export const sqrt = defineOp({
  ...floatUnary,
  name: 'sqrt',
  doc: '√x; NaN below 0.',
  expr: s.sqrt,
  vjp: slope((_x, y, g) => g.div(0.5, y)),
  examples: [
    [9, 3],
    [-1, NaN],
  ],
});

/**
 * 1/√x; ±∞ at ±0, NaN below.
 *
 * ```ts
 * rsqrt(tensor([4, 0])).toArray() // => [0.5, Infinity]
 * ```
 */
export const rsqrt = defineOp({
  ...floatUnary,
  name: 'rsqrt',
  doc: '1/√x; ∞ at 0.',
  expr: (x) => s.div(1, s.sqrt(x)),
  vjp: slope((_x, y, g) => g.mul(-0.5, g.mul(y, g.square(y)))),
  examples: [
    [4, 0.5],
    [0, Infinity],
  ],
});

/**
 * ∛x, also of negative numbers.
 *
 * ```ts
 * cbrt(tensor([-8])).toArray() // => [-2]
 * ```
 */
export const cbrt = defineOp({
  ...floatUnary,
  name: 'cbrt',
  doc: '∛x, also of negative numbers.',
  expr: s.cbrt,
  vjp: slope((_x, y, g) => g.div(1 / 3, g.square(y))),
  examples: [[-8, -2]],
});
