/**
 * @file Loss scales: gradients of a loss that was made larger, so that small ones are not lost in narrow numbers.
 *
 * Micikevicius et al., Mixed Precision Training, 2018.
 */
import { describeValue, fault } from '../errors/index.js';
import { requirePositive } from './positive.js';

/** A scale that finds its size: halved with each overflow, doubled after so many steps without one. */
export interface LossScale {
  readonly start: number;
  /** Infinity: never. */
  readonly growEvery: number;
}

/**
 * A dynamic loss scale for `train({ lossScale })`. A step whose gradients overflow is left out, and the scale halved.
 *
 * ```ts
 * lossScale() // => { start: 65536, growEvery: 2000 }
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a start that is not above 0, and for a growEvery that is no integer ≥ 1 nor Infinity
 */
export const lossScale = ({ start = 2 ** 16, growEvery = 2000 }: Partial<LossScale> = {}): LossScale =>
  Object.freeze(readLossScale({ start, growEvery }));

/** A number stands for a scale that shrinks only. */
export function readLossScale(given: number | LossScale): LossScale {
  const { start, growEvery } = typeof given === 'object' && given !== null ? given : { start: given, growEvery: Infinity };
  requirePositive('lossScale', { [typeof given === 'object' ? 'start' : 'lossScale']: start });
  if (growEvery === Infinity || (Number.isSafeInteger(growEvery) && growEvery >= 1)) return { start, growEvery };
  throw fault('E_ARGUMENT', {
    place: 'lossScale',
    rule: 'growEvery must be an integer ≥ 1, or Infinity',
    actual: describeValue(growEvery),
  });
}

interface Scaled {
  readonly lossScale: number;
  readonly steady: number;
}

/** What follows a step that was left out for an overflow. */
export const halved = ({ lossScale: scale }: Scaled): Scaled => ({ lossScale: scale / 2, steady: 0 });

/** What follows a step that was taken. */
export const steadied = ({ lossScale: scale, steady }: Scaled, { growEvery }: LossScale): Scaled =>
  steady + 1 < growEvery ? { lossScale: scale, steady: steady + 1 } : { lossScale: scale * 2, steady: 0 };

/** With a scale of 1 or less an overflow is no fault of the scale's: there is nothing left to halve. */
export const isTooLarge = ({ lossScale: scale }: Scaled): boolean => scale > 1;
