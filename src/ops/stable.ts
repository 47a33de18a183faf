/**
 * @file Exponentials that cannot overflow: the largest element is taken off first.
 */
import type { Fold } from './op.js';
import { s, type Scalar } from './scalar.js';

/** The largest element, the first fold of every stable exponential. */
export const largest: Fold = { monoid: 'max', value: ([x]) => x };

/** The shift to take off: the largest, or 0 where it is ±∞ or NaN, so that ∞ − ∞ does not arise. */
export const finiteShift = (peak: Scalar): Scalar => s.select(s.isfinite(peak), peak, 0);
