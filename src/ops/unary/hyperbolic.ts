/**
 * @file Hyperbolic functions. int32 and bool give float32.
 */
import { defineOp } from '../op.js';
import { floatUnary } from '../rules.js';
import { s } from '../scalar.js';

/** (eˣ − e⁻ˣ)/2. */
export const sinh = defineOp({
  ...floatUnary,
  name: 'sinh',
  doc: '(eˣ − e⁻ˣ)/2.',
  expr: s.sinh,
  examples: [
    [0, 0],
    [1, 1.175201],
  ],
});

/** (eˣ + e⁻ˣ)/2. */
export const cosh = defineOp({
  ...floatUnary,
  name: 'cosh',
  doc: '(eˣ + e⁻ˣ)/2.',
  expr: s.cosh,
  examples: [
    [0, 1],
    [1, 1.543081],
  ],
});

/** sinh x / cosh x, in [−1, 1]. */
export const tanh = defineOp({
  ...floatUnary,
  name: 'tanh',
  doc: 'sinh x / cosh x, in [−1, 1].',
  expr: s.tanh,
  examples: [
    [0, 0],
    [1, 0.7615942],
    [1000, 1],
  ],
});

/** Inverse of sinh: ln(x + √(x² + 1)). */
export const asinh = defineOp({
  ...floatUnary,
  name: 'asinh',
  aliases: ['arcsinh'],
  doc: 'Inverse of sinh: ln(x + √(x² + 1)).',
  expr: s.asinh,
  examples: [[1, 0.8813736]],
});

/** Inverse of cosh, ≥ 0: ln(x + √(x² − 1)); NaN below 1. */
export const acosh = defineOp({
  ...floatUnary,
  name: 'acosh',
  aliases: ['arccosh'],
  doc: 'Inverse of cosh, ≥ 0; NaN below 1.',
  expr: s.acosh,
  examples: [
    [1, 0],
    [2, 1.316958],
    [0, NaN],
  ],
});

/** Inverse of tanh: ½ ln((1 + x)/(1 − x)); ±∞ at ±1, NaN beyond. */
export const atanh = defineOp({
  ...floatUnary,
  name: 'atanh',
  aliases: ['arctanh'],
  doc: 'Inverse of tanh; ±∞ at ±1, NaN beyond.',
  expr: s.atanh,
  examples: [
    [0.5, 0.5493061],
    [1, Infinity],
  ],
});
