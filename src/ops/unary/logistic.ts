/**
 * @file The logistic function and its kin.
 *
 * All rest on e^(−|x|), which never overflows, so that each is right to the last digits at both ends.
 */
import { defineOp } from '../op.js';
import { floatUnary } from '../rules.js';
import { s, type Scalar } from '../scalar.js';
import { slope } from '../vjp.js';

const decay = (x: Scalar): Scalar => s.exp(s.neg(s.abs(x)));

/**
 * x as a factor of something that goes to 0 at −∞ faster than x grows: at −∞ itself the product is −0, its limit, where
 * −∞·0 would be NaN. The bound is within float32, and far below where the other factor is 0.
 */
export const falling = (x: Scalar): Scalar => s.max(x, -3e38);

/** σ as a scalar expression, for the ops that contain it. */
export function logistic(x: Scalar): Scalar {
  const e = decay(x);
  return s.div(s.select(s.lt(x, 0), e, 1), s.add(1, e));
}

/**
 * Logistic function, σ(x) = 1/(1 + e⁻ˣ). 0 and 1 at ∓1000, without overflow.
 *
 * ```ts
 * sigmoid(tensor([-1000, 0, 1000])).toArray() // => [0, 0.5, 1]
 * ```
 */
export const sigmoid = defineOp({
  ...floatUnary,
  name: 'sigmoid',
  aliases: ['logistic', 'expit'],
  doc: 'σ(x) = 1/(1 + e⁻ˣ).',
  expr: logistic,
  vjp: slope((_x, y, g) => g.mul(y, g.oneMinus(y))),
  examples: [
    [0, 0.5],
    [2, 0.880797],
    [-1000, 0],
    [1000, 1],
  ],
});

/**
 * ln σ(x) = −softplus(−x): the sign of a result that rounds to 0 is right, too.
 *
 * ```ts
 * logSigmoid(tensor([0, -1000])).toArray() // => [-0.6931472, -1000]
 * ```
 */
export const logSigmoid = defineOp({
  ...floatUnary,
  name: 'logSigmoid',
  aliases: ['log_sigmoid', 'logsigmoid'],
  doc: 'ln σ(x) = −(max(−x, 0) + ln(1 + e^(−|x|))).',
  expr: (x) => s.neg(s.add(s.max(s.neg(x), 0), s.log1p(decay(x)))),
  vjp: slope((x, _y, g) => g.sigmoid(g.neg(x))),
  examples: [
    [0, -0.6931472],
    [-1000, -1000],
  ],
});

/**
 * ln(1 + eˣ) = max(x, 0) + ln(1 + e^(−|x|)), exact: there is no threshold above which it is x.
 *
 * ```ts
 * softplus(tensor([0, 1000])).toArray() // => [0.6931472, 1000]
 * ```
 */
export const softplus = defineOp({
  ...floatUnary,
  name: 'softplus',
  doc: 'ln(1 + eˣ) = max(x, 0) + ln(1 + e^(−|x|)).',
  expr: (x) => s.add(s.max(x, 0), s.log1p(decay(x))),
  vjp: slope((x, _y, g) => g.sigmoid(x)),
  examples: [
    [0, 0.6931472],
    [1000, 1000],
  ],
});

/**
 * x·σ(x), also called swish.
 *
 * ```ts
 * silu(tensor([0, 1, -Infinity])).toArray() // => [0, 0.7310586, -0]
 * ```
 */
export const silu = defineOp({
  ...floatUnary,
  name: 'silu',
  aliases: ['swish'],
  doc: 'x·σ(x) (Elfwing et al. 2017).',
  expr: (x) => s.mul(falling(x), logistic(x)),
  vjp: slope((x, _y, g) => {
    const share = g.sigmoid(x);
    return g.add(share, g.mulNoNan(g.mul(share, g.sub(1, share)), x));
  }),
  examples: [
    [0, 0],
    [1, 0.7310586],
    [-Infinity, -0],
  ],
});

/**
 * x·tanh(ln(1 + eˣ)) (Misra 2019).
 *
 * ```ts
 * mish(tensor([0, 1])).toArray() // => [0, 0.8650984]
 * ```
 */
export const mish = defineOp({
  ...floatUnary,
  name: 'mish',
  doc: 'x·tanh(ln(1 + eˣ)) (Misra 2019); with w = eˣ the tangent is (w² + 2w)/(w² + 2w + 2).',
  expr: (x) => {
    const e = decay(x);
    const below = s.lt(x, 0);
    const top = s.select(below, s.mul(e, s.add(e, 2)), s.add(1, s.mul(2, e)));
    return s.mul(falling(x), s.div(top, s.add(top, s.select(below, 2, s.mul(2, s.mul(e, e))))));
  },
  vjp: slope((x, _y, g) => {
    const tangent = g.tanh(g.softplus(x));
    return g.add(tangent, g.mulNoNan(g.mul(g.sub(1, g.square(tangent)), g.sigmoid(x)), x));
  }),
  examples: [
    [0, 0],
    [1, 0.8650984],
  ],
});
