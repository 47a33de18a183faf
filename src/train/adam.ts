/**
 * @file Adam (Kingma and Ba, 2014), and with decoupled weight decay AdamW (Loshchilov and Hutter, 2017).
 */
import { add, div, mul, sub } from '../ops/binary/index.js';
import { sqrt, square } from '../ops/unary/index.js';
import type { Optimizer } from './optimizer.js';
import { requireFraction, requireOptions, requirePositive } from './positive.js';
import { rateAt, requireRate, type Rate } from './schedules.js';

/** How Adam steps. */
export interface AdamOptions {
  /** 0.001 by default. */
  readonly rate?: Rate;
  /** Decay of the mean gradient, 0.9, and of the mean square, 0.999. */
  readonly beta1?: number;
  readonly beta2?: number;
  /** Keeps the divisor from 0; 1e-8. */
  readonly eps?: number;
}

/** AdamW's parameters shrink by rate · weightDecay each step; 0.01 by default. */
export interface AdamWOptions extends AdamOptions {
  readonly weightDecay?: number;
}

/**
 * A step of about `rate` along the mean gradient, over the root of its mean square; both means are corrected for their start at 0.
 *
 * ```ts
 * adam({ rate: 0.01 }).slots // => ['mean', 'square']
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for numbers outside their range
 */
export const adam = (options: AdamOptions = {}): Optimizer => adamWith('adam', { ...options, weightDecay: 0 });

/**
 * Adam whose weight decay acts on the parameter itself, not through the gradient.
 *
 * ```ts
 * adamW({ rate: 0.01, weightDecay: 0.1 }).name // => 'adamW'
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for numbers outside their range
 */
export const adamW = (options: AdamWOptions = {}): Optimizer => adamWith('adamW', { weightDecay: 0.01, ...options });

function adamWith(name: string, options: AdamWOptions): Optimizer {
  const { rate = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weightDecay = 0 } = requireOptions(name, options);
  requireRate(name, rate);
  requireFraction(name, { beta1, beta2, weightDecay });
  requirePositive(name, { eps });
  return {
    name,
    slots: ['mean', 'square'],
    // As in the paper's efficient form: both corrections go into the rate, and into eps.
    scalars: (step) => {
      const root = Math.sqrt(1 - beta2 ** step);
      const now = rateAt(rate, step);
      return { rate: (now * root) / (1 - beta1 ** step), eps: eps * root, decay: 1 - now * weightDecay };
    },
    update({ param, gradient, slots, scalars }) {
      const mean = add(mul(beta1, slots['mean']), mul(1 - beta1, gradient));
      const meanSquare = add(mul(beta2, slots['square']), mul(1 - beta2, square(gradient)));
      const kept = weightDecay === 0 ? param : mul(scalars['decay'], param);
      const step = div(mul(scalars['rate'], mean), add(sqrt(meanSquare), scalars['eps']));
      return { param: sub(kept, step), slots: { mean, square: meanSquare } };
    },
  };
}
