/**
 * @file Activation functions. Those with an exponential give float32 for int32 and bool.
 */
import { defineOp } from '../op.js';
import { real } from '../params.js';
import { arithmeticUnary, floatUnary } from '../rules.js';
import { s, type Scalar } from '../scalar.js';
import { falling, logistic } from './logistic.js';
import { slope } from '../vjp.js';

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
  // Of the result, so that nobody needs the operand any more: both are positive at once.
  vjp: (dy, _inputs, y, g) => [g.where(g.greater(y, 0), dy, 0)],
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
  vjp: slope((x, _y, g) => {
    const density = g.mul(1 / Math.sqrt(2 * Math.PI), g.exp(g.mul(-0.5, g.square(x))));
    return g.add(g.mul(0.5, g.erfc(g.mul(x, -Math.SQRT1_2))), g.mulNoNan(density, x));
  }),
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
  vjp: slope((x, _y, g) => {
    const steps = 2 * Math.sqrt(2 / Math.PI);
    const share = g.sigmoid(g.mul(steps, g.mul(x, g.add(1, g.mul(0.044715, g.square(x))))));
    const inner = g.mul(g.mul(steps, x), g.add(1, g.mul(3 * 0.044715, g.square(x))));
    return g.add(share, g.mulNoNan(g.mul(share, g.sub(1, share)), inner));
  }),
  examples: [
    [0, 0],
    [1, 0.841192],
  ],
});

const exponentialLinear = (x: Scalar, alpha: number): Scalar => s.select(s.gt(x, 0), x, s.mul(alpha, s.expm1(x)));

/** Self-normalising networks: the fixed point of mean 0 and variance 1 (Klambauer et al. 2017). */
const [SCALE, ALPHA] = [1.0507009873554805, 1.6732632423543772];

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
  vjp: slope((x, y, g, { alpha = 1 }) => g.where(g.greater(x, 0), 1, g.add(y, alpha))),
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
  expr: (x) => s.mul(SCALE, exponentialLinear(x, ALPHA)),
  vjp: slope((x, y, g) => g.where(g.greater(x, 0), SCALE, g.add(y, SCALE * ALPHA))),
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
  vjp: slope((x, _y, g) => g.where(g.less(g.abs(x), 3), 1 / 6, 0)),
  examples: [
    [0, 0.5],
    [-4, 0],
    [4, 1],
  ],
});
