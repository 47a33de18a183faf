/**
 * @file Activation functions. Those with an exponential give float32 for int32 and bool.
 */
import { defineOp } from '../op.js';
import { real } from '../params.js';
import { arithmeticUnary, floatUnary } from '../rules.js';
import { s, type Scalar } from '../scalar.js';
import { falling, logistic } from './logistic.js';

/**
 * max(x, 0); NaN stays.
 *
 * ```ts
 * relu(tensor([-1, 2, NaN])).toArray() // => [0, 2, NaN]
 * ```
 */
export const relu = defineOp({
  ...arithmeticUnary,
  name: 'relu',
  doc: 'max(x, 0); NaN stays.',
  expr: (x) => s.max(x, 0),
  examples: [
    [-1, 0],
    [2, 2],
    [NaN, NaN],
  ],
});

/**
 * x·Φ(x) with the normal distribution function, in its error function form (Hendrycks and Gimpel 2016).
 *
 * ```ts
 * gelu(tensor([0, 1])).toArray() // => [0, 0.841345]
 * ```
 */
export const gelu = defineOp({
  ...floatUnary,
  name: 'gelu',
  doc: 'x·Φ(x) = ½x·erfc(−x/√2) (Hendrycks and Gimpel 2016).',
  expr: (x) => s.mul(s.mul(0.5, falling(x)), s.erfc(s.mul(x, -Math.SQRT1_2))),
  examples: [
    [0, 0],
    [1, 0.841345],
  ],
});

/**
 * The approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³))), as x·σ of twice the tangent's argument.
 *
 * ```ts
 * geluTanh(tensor([0, 1])).toArray() // => [0, 0.841192]
 * ```
 */
export const geluTanh = defineOp({
  ...floatUnary,
  name: 'geluTanh',
  aliases: ['gelu_tanh'],
  doc: '½x(1 + tanh(√(2/π)(x + 0.044715x³))).',
  expr: (x) => s.mul(falling(x), logistic(s.mul(2 * Math.sqrt(2 / Math.PI), s.mul(x, s.add(1, s.mul(0.044715, s.mul(x, x))))))),
  examples: [
    [0, 0],
    [1, 0.841192],
  ],
});

const exponentialLinear = (x: Scalar, alpha: number): Scalar => s.select(s.gt(x, 0), x, s.mul(alpha, s.expm1(x)));

/**
 * x above 0, α(eˣ − 1) below (Clevert et al. 2015).
 *
 * ```ts
 * elu(tensor([-1000, 3]), { alpha: 2 }).toArray() // => [-2, 3]
 * ```
 */
export const elu = defineOp<1, { readonly alpha?: number }>({
  ...floatUnary,
  name: 'elu',
  doc: 'x above 0, α(eˣ − 1) below; α is 1 unless given (Clevert et al. 2015).',
  params: { alpha: real(1) },
  exprFor:
    ({ alpha = 1 }) =>
    (x) =>
      exponentialLinear(x, alpha),
  examples: [
    [1, 1],
    [-1, -0.6321206],
  ],
});

/**
 * λ times elu with α, both fixed (Klambauer et al. 2017).
 *
 * ```ts
 * selu(tensor([1, -1])).toArray() // => [1.050701, -1.111331]
 * ```
 */
export const selu = defineOp({
  ...floatUnary,
  name: 'selu',
  doc: 'λ·elu(x, α), λ = 1.0507…, α = 1.6732… (Klambauer et al. 2017).',
  expr: (x) => s.mul(1.0507009873554804934193349852946, exponentialLinear(x, 1.6732632423543772848170429916717)),
  examples: [
    [1, 1.050701],
    [-1, -1.111331],
  ],
});

/**
 * x/6 + ½, kept within 0 and 1.
 *
 * ```ts
 * hardsigmoid(tensor([0, -4, 4])).toArray() // => [0.5, 0, 1]
 * ```
 */
export const hardsigmoid = defineOp({
  ...floatUnary,
  name: 'hardsigmoid',
  aliases: ['hard_sigmoid', 'hardSigmoid'],
  doc: 'min(max(x + 3, 0), 6)/6.',
  expr: (x) => s.div(s.min(s.max(s.add(x, 3), 0), 6), 6),
  examples: [
    [0, 0.5],
    [-4, 0],
    [4, 1],
  ],
});
