/**
 * @file Schedules: a learning rate that depends on the step, counted from 1.
 */
import { describeValue, EinstreamError, fault } from '../errors/index.js';
import { requirePositive } from './positive.js';

/** A rate, or how it is found for each step. */
export type Rate = number | ((step: number) => number);

/** @throws EinstreamError E_ARGUMENT for a schedule that gives no rate, E_CONSUMER for one that throws */
export function rateAt(rate: Rate, step: number): number {
  if (typeof rate === 'number') return rate;
  const now: unknown = given(rate, step);
  if (isRate(now)) return now;
  throw fault('E_ARGUMENT', { place: `rate of step ${step}`, rule: 'a schedule gives a number ≥ 0', actual: describeValue(now) });
}

function given(rate: (step: number) => number, step: number): unknown {
  try {
    return rate(step);
  } catch (cause) {
    if (cause instanceof EinstreamError) throw cause;
    throw fault('E_CONSUMER', { place: `rate of step ${step}`, rule: 'a schedule must not throw', cause });
  }
}

const isRate = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < Infinity;

/** @throws EinstreamError E_ARGUMENT for what is neither a number ≥ 0 nor a schedule */
export function requireRate(place: string, rate: unknown): void {
  if (typeof rate === 'function' || isRate(rate)) return;
  throw fault('E_ARGUMENT', { place, rule: 'rate must be a number ≥ 0, or a schedule', actual: describeValue(rate) });
}

/**
 * rate · decay^(step / every), smoothly.
 *
 * ```ts
 * exponentialDecay({ rate: 0.1, decay: 0.5, every: 10 })(20) // => 0.025
 * ```
 */
export function exponentialDecay({
  rate,
  decay,
  every = 1,
}: {
  readonly rate: number;
  readonly decay: number;
  readonly every?: number;
}): (step: number) => number {
  requirePositive('exponentialDecay', { rate, decay, every });
  return (step) => rate * decay ** (step / every);
}

/**
 * rate · decay^⌊step / every⌋: a stair.
 *
 * ```ts
 * [9, 10, 20].map(stepDecay({ rate: 1, decay: 0.5, every: 10 })) // => [1, 0.5, 0.25]
 * ```
 */
export function stepDecay({
  rate,
  decay,
  every,
}: {
  readonly rate: number;
  readonly decay: number;
  readonly every: number;
}): (step: number) => number {
  requirePositive('stepDecay', { rate, decay, every });
  return (step) => rate * decay ** Math.floor(step / every);
}

/**
 * Half a cosine wave from `rate` down to `end` over `steps` (Loshchilov and Hutter, 2016).
 *
 * ```ts
 * [0, 50, 100, 200].map(cosineDecay({ rate: 1, steps: 100 })) // => [1, 0.5, 0, 0]
 * ```
 */
export function cosineDecay({
  rate,
  steps,
  end = 0,
}: {
  readonly rate: number;
  readonly steps: number;
  readonly end?: number;
}): (step: number) => number {
  requirePositive('cosineDecay', { rate, steps });
  return (step) => end + (rate - end) * 0.5 * (1 + Math.cos(Math.PI * Math.min(1, step / steps)));
}

/**
 * Up a straight line for the first `steps`, then what `then` says for the steps after them.
 *
 * ```ts
 * [1, 2, 4, 5].map(linearWarmup({ steps: 4, then: 0.8 })) // => [0.2, 0.4, 0.8, 0.8]
 * ```
 */
export function linearWarmup({ steps, then }: { readonly steps: number; readonly then: Rate }): (step: number) => number {
  requirePositive('linearWarmup', { steps });
  return (step) => (step < steps ? (rateAt(then, 1) * step) / steps : rateAt(then, Math.max(1, step - steps)));
}
