/**
 * @file Stochastic gradient descent, with momentum by Sutskever et al. (2013) as torch writes it.
 */
import { add, mul, sub } from '../ops/binary/index.js';
import type { Operand } from '../ops/interpreter.js';
import type { Optimizer } from './optimizer.js';
import { requireFraction, requireOptions } from './positive.js';
import { rateAt, requireRate, type Rate } from './schedules.js';

/** How gradient descent steps. */
export interface SgdOptions {
  /** A number, or a schedule. */
  readonly rate: Rate;
  /** How much of the last step's velocity stays, from 0 (none, the default) to below 1. */
  readonly momentum?: number;
  /** Looks ahead along the velocity. */
  readonly nesterov?: boolean;
  /** Added to the gradient as weightDecay · param. */
  readonly weightDecay?: number;
}

const NONE: Readonly<Record<string, Operand>> = {};

/**
 * param − rate · velocity, where velocity = momentum · velocity + gradient; without momentum, param − rate · gradient.
 *
 * ```ts
 * sgd({ rate: 0.1, momentum: 0.9 }).slots // => ['velocity']
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a rate below 0, and a momentum or decay outside [0, 1)
 */
export function sgd(options: SgdOptions): Optimizer {
  const { rate, momentum: kept = 0, nesterov = false, weightDecay = 0 } = requireOptions('sgd', options);
  requireRate('sgd', rate);
  requireFraction('sgd', { momentum: kept, weightDecay });
  return {
    name: 'sgd',
    slots: kept === 0 ? [] : ['velocity'],
    scalars: (step) => ({ rate: rateAt(rate, step) }),
    update({ param, gradient, slots, scalars }) {
      const decayed = weightDecay === 0 ? gradient : add(gradient, mul(weightDecay, param));
      const step = (direction: Operand): Operand => sub(param, mul(scalars['rate'], direction));
      if (kept === 0) return { param: step(decayed), slots: NONE };
      const velocity = add(mul(kept, slots['velocity']), decayed);
      return { param: step(nesterov ? add(decayed, mul(kept, velocity)) : velocity), slots: { velocity } };
    },
  };
}

/**
 * `sgd` with a momentum, 0.9 unless given.
 *
 * ```ts
 * momentum({ rate: 0.1 }).slots // => ['velocity']
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a momentum outside [0, 1)
 */
export const momentum = (options: SgdOptions): Optimizer => sgd({ momentum: 0.9, ...options });
