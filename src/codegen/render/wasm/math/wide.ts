/**
 * @file Four float32 lanes as two pairs of float64: for what float32 cannot hold on the way.
 */
import type { Code } from '../bytes.js';
import { f32x4, f64x2, shuffle } from '../instructions.js';
import type { Steps } from './steps.js';

const UPPER_FIRST = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7] as const;
const BOTH_LOWER = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23] as const;

/** Computes in float64 on each pair of lanes; each of the results is rounded to float32 once. */
export function inDoubles(m: Steps, xs: readonly Code[], compute: (pairs: readonly Code[]) => readonly Code[]): readonly Code[] {
  const low = compute(xs.map((x) => m.keep(f64x2.promote_low_f32x4(x))));
  const high = compute(xs.map((x) => m.keep(f64x2.promote_low_f32x4(shuffle(x, x, UPPER_FIRST)))));
  return low.map((value, k) => m.keep(shuffle(f32x4.demote_f64x2_zero(value), f32x4.demote_f64x2_zero(high[k]), BOTH_LOWER)));
}
