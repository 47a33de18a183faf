/**
 * @file Trigonometric functions, in radians. int32 and bool give float32.
 */
import { defineOp } from '../op.js';
import { floatUnary } from '../rules.js';
import { s } from '../scalar.js';
import { slope } from '../vjp.js';

/**
 * sin x; NaN at ±∞.
 *
 * ```ts
 * sin(tensor([0, 1])).toArray() // => [0, 0.841471]
 * ```
 */
export const sin = defineOp({
  ...floatUnary,
  name: 'sin',
  doc: 'sin x.',
  expr: s.sin,
  vjp: slope((x, _y, g) => g.cos(x)),
  examples: [
    [0, 0],
    [1, 0.841471],
  ],
});

/**
 * cos x; NaN at ±∞.
 *
 * ```ts
 * cos(tensor([0, 1])).toArray() // => [1, 0.5403023]
 * ```
 */
export const cos = defineOp({
  ...floatUnary,
  name: 'cos',
  doc: 'cos x.',
  expr: s.cos,
  vjp: slope((x, _y, g) => g.neg(g.sin(x))),
  examples: [
    [0, 1],
    [1, 0.5403023],
  ],
});

/**
 * tan x; NaN at ±∞.
 *
 * ```ts
 * tan(tensor([0, 1])).toArray() // => [0, 1.557408]
 * ```
 */
export const tan = defineOp({
  ...floatUnary,
  name: 'tan',
  doc: 'tan x.',
  expr: s.tan,
  vjp: slope((_x, y, g) => g.add(1, g.square(y))),
  examples: [
    [0, 0],
    [1, 1.557408],
  ],
});

/**
 * Inverse sine, in [−π/2, π/2]; NaN outside [−1, 1].
 *
 * ```ts
 * asin(tensor([1, 2])).toArray() // => [1.570796, NaN]
 * ```
 */
export const asin = defineOp({
  ...floatUnary,
  name: 'asin',
  aliases: ['arcsin'],
  doc: 'Inverse sine, in [−π/2, π/2]; NaN outside [−1, 1].',
  expr: s.asin,
  vjp: slope((x, _y, g) => g.rsqrt(g.sub(1, g.square(x)))),
  examples: [
    [1, 1.570796],
    [2, NaN],
  ],
});

/**
 * Inverse cosine, in [0, π]; NaN outside [−1, 1].
 *
 * ```ts
 * acos(tensor([1, 0])).toArray() // => [0, 1.570796]
 * ```
 */
export const acos = defineOp({
  ...floatUnary,
  name: 'acos',
  aliases: ['arccos'],
  doc: 'Inverse cosine, in [0, π]; NaN outside [−1, 1].',
  expr: s.acos,
  vjp: slope((x, _y, g) => g.neg(g.rsqrt(g.sub(1, g.square(x))))),
  examples: [
    [1, 0],
    [0, 1.570796],
  ],
});

/**
 * Inverse tangent, in [−π/2, π/2].
 *
 * ```ts
 * atan(tensor([1, Infinity])).toArray() // => [0.7853982, 1.570796]
 * ```
 */
export const atan = defineOp({
  ...floatUnary,
  name: 'atan',
  aliases: ['arctan'],
  doc: 'Inverse tangent, in [−π/2, π/2].',
  expr: s.atan,
  vjp: slope((x, _y, g) => g.reciprocal(g.add(1, g.square(x)))),
  examples: [
    [1, 0.7853982],
    [Infinity, 1.570796],
  ],
});
