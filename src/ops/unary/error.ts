/**
 * @file The error function. int32 and bool give float32.
 */
import { defineOp } from '../op.js';
import { floatUnary } from '../rules.js';
import { s } from '../scalar.js';
import { slope } from '../vjp.js';

/**
 * 2/√π ∫₀ˣ e^(−t²) dt, in [−1, 1].
 *
 * ```ts
 * erf(tensor([0, 1, Infinity])).toArray() // => [0, 0.8427008, 1]
 * ```
 */
export const erf = defineOp({
  ...floatUnary,
  name: 'erf',
  doc: '2/√π ∫₀ˣ e^(−t²) dt.',
  expr: s.erf,
  vjp: slope((x, _y, g) => g.mul(2 / Math.sqrt(Math.PI), g.exp(g.neg(g.square(x))))),
  examples: [
    [0, 0],
    [1, 0.8427008],
    [Infinity, 1],
  ],
});

/**
 * 1 − erf x, without cancellation where it is small.
 *
 * ```ts
 * erfc(tensor([0, 1])).toArray() // => [1, 0.1572992]
 * ```
 */
export const erfc = defineOp({
  ...floatUnary,
  name: 'erfc',
  doc: '1 − erf x, without cancellation.',
  expr: s.erfc,
  vjp: slope((x, _y, g) => g.mul(-2 / Math.sqrt(Math.PI), g.exp(g.neg(g.square(x))))),
  examples: [
    [0, 1],
    [1, 0.1572992],
  ],
});
