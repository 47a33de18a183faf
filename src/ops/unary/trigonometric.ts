/**
 * @file Trigonometric functions, in radians. int32 and bool give float32.
 */
import { defineOp } from '../op.js';
import { floatUnary } from '../rules.js';
import { s } from '../scalar.js';

/** sin x; NaN at ±∞. */
export const sin = defineOp({
  ...floatUnary,
  name: 'sin',
  doc: 'sin x.',
  expr: s.sin,
  examples: [
    [0, 0],
    [1, 0.841471],
  ],
});

/** cos x; NaN at ±∞. */
export const cos = defineOp({
  ...floatUnary,
  name: 'cos',
  doc: 'cos x.',
  expr: s.cos,
  examples: [
    [0, 1],
    [1, 0.5403023],
  ],
});

/** tan x; NaN at ±∞. */
export const tan = defineOp({
  ...floatUnary,
  name: 'tan',
  doc: 'tan x.',
  expr: s.tan,
  examples: [
    [0, 0],
    [1, 1.557408],
  ],
});

/** Inverse sine, in [−π/2, π/2]; NaN outside [−1, 1]. */
export const asin = defineOp({
  ...floatUnary,
  name: 'asin',
  aliases: ['arcsin'],
  doc: 'Inverse sine, in [−π/2, π/2]; NaN outside [−1, 1].',
  expr: s.asin,
  examples: [
    [1, 1.570796],
    [2, NaN],
  ],
});

/** Inverse cosine, in [0, π]; NaN outside [−1, 1]. */
export const acos = defineOp({
  ...floatUnary,
  name: 'acos',
  aliases: ['arccos'],
  doc: 'Inverse cosine, in [0, π]; NaN outside [−1, 1].',
  expr: s.acos,
  examples: [
    [1, 0],
    [0, 1.570796],
  ],
});

/** Inverse tangent, in [−π/2, π/2]. */
export const atan = defineOp({
  ...floatUnary,
  name: 'atan',
  aliases: ['arctan'],
  doc: 'Inverse tangent, in [−π/2, π/2].',
  expr: s.atan,
  examples: [
    [1, 0.7853982],
    [Infinity, 1.570796],
  ],
});
