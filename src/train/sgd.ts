/**
 * @file Stochastic gradient descent, with momentum by Sutskever et al. (2013) as torch writes it.
 */
import { add, mul, sub } from '../ops/binary/index.js';
import type { Operand } from '../ops/interpreter.js';
import type { Optimizer } from './optimizer.js';
import { requireFraction } from './positive.js';
import { rateAt, type Rate } from './schedules.js';

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
 * @throws EinstreamError E_ARGUMENT for a momentum outside [0, 1)
 */
export function sgd({ rate, momentum = 0, nesterov = false, weightDecay = 0 }: SgdOptions): Optimizer {
  requireFraction('sgd', { momentum, weightDecay });
  return {
    name: 'sgd',
    slots: momentum === 0 ? [] : ['velocity'],
    scalars: (step) => ({ rate: rateAt(rate, step) }),
    update({ param, gradient, slots, scalars }) {
      const decayed = weightDecay === 0 ? gradient : add(gradient, mul(weightDecay, param));
      const step = (direction: Operand): Operand => sub(param, mul(scalars['rate'], direction));
      if (momentum === 0) return { param: step(decayed), slots: NONE };
      const velocity = add(mul(momentum, slots['velocity']), decayed);
      return { param: step(nesterov ? add(decayed, mul(momentum, velocity)) : velocity), slots: { velocity } };
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
