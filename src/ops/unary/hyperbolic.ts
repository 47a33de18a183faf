/**
 * @file Hyperbolic functions. int32 and bool give float32.
 */
import { defineOp } from '../op.js';
import { floatUnary } from '../rules.js';
import { s } from '../scalar.js';
import { slope } from '../vjp.js';

/**
 * (eˣ − e⁻ˣ)/2, the hyperbolic sine.
 *
 * ```ts
 * sinh(tensor([0, 1])).toArray() // => [0, 1.175201]
 * ```
 */
export const sinh = defineOp({
  ...floatUnary,
  name: 'sinh',
  doc: '(eˣ − e⁻ˣ)/2.',
  expr: s.sinh,
  vjp: slope((x, _y, g) => g.cosh(x)),
  examples: [
    [0, 0],
    [1, 1.175201],
  ],
});

/**
 * (eˣ + e⁻ˣ)/2, the hyperbolic cosine.
 *
 * ```ts
 * cosh(tensor([0, 1])).toArray() // => [1, 1.543081]
 * ```
 */
export const cosh = defineOp({
  ...floatUnary,
  name: 'cosh',
  doc: '(eˣ + e⁻ˣ)/2.',
  expr: s.cosh,
  vjp: slope((x, _y, g) => g.sinh(x)),
  examples: [
    [0, 1],
    [1, 1.543081],
  ],
});

/**
 * sinh x / cosh x, in [−1, 1].
 *
 * ```ts
 * tanh(tensor([0, 1, 1000])).toArray() // => [0, 0.7615942, 1]
 * ```
 */
export const tanh = defineOp({
  ...floatUnary,
  name: 'tanh',
  doc: 'sinh x / cosh x, in [−1, 1].',
  expr: s.tanh,
  vjp: slope((_x, y, g) => g.oneMinus(g.square(y))),
  examples: [
    [0, 0],
    [1, 0.7615942],
    [1000, 1],
  ],
});

/**
 * Inverse of sinh: ln(x + √(x² + 1)).
 *
 * ```ts
 * asinh(tensor([1])).toArray() // => [0.8813736]
 * ```
 */
export const asinh = defineOp({
  ...floatUnary,
  name: 'asinh',
  aliases: ['arcsinh'],
  doc: 'Inverse of sinh: ln(x + √(x² + 1)).',
  expr: s.asinh,
  vjp: slope((x, _y, g) => g.rsqrt(g.add(g.square(x), 1))),
  examples: [[1, 0.8813736]],
});

/**
 * Inverse of cosh, ≥ 0: ln(x + √(x² − 1)); NaN below 1.
 *
 * ```ts
 * acosh(tensor([1, 2, 0])).toArray() // => [0, 1.316958, NaN]
 * ```
 */
export const acosh = defineOp({
  ...floatUnary,
  name: 'acosh',
  aliases: ['arccosh'],
  doc: 'Inverse of cosh, ≥ 0; NaN below 1.',
  expr: s.acosh,
  vjp: slope((x, _y, g) => g.rsqrt(g.mul(g.sub(x, 1), g.add(x, 1)))),
  examples: [
    [1, 0],
    [2, 1.316958],
    [0, NaN],
  ],
});

/**
 * Inverse of tanh: ½ ln((1 + x)/(1 − x)); ±∞ at ±1, NaN beyond.
 *
 * ```ts
 * atanh(tensor([0.5, 1])).toArray() // => [0.549306, Infinity]
 * ```
 */
export const atanh = defineOp({
  ...floatUnary,
  name: 'atanh',
  aliases: ['arctanh'],
  doc: 'Inverse of tanh; ±∞ at ±1, NaN beyond.',
  expr: s.atanh,
  vjp: slope((x, _y, g) => g.reciprocal(g.sub(1, g.square(x)))),
  examples: [
    [0.5, 0.549306],
    [1, Infinity],
  ],
});
