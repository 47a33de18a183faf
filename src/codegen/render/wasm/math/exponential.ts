/**
 * @file e^x, 2^x and e^x − 1 on four float32 lanes.
 *
 * x = r + 2n·ln 2, so e^x = (e^r · 2ⁿ) · 2ⁿ: no factor leaves the range of float32 before the result does, and a
 * denormal result is rounded once. The polynomials are minimax fits of (e^r − 1 − r)/r² and (2^r − 1)/r.
 */
import type { Code } from '../bytes.js';
import { f32x4, i32x4 } from '../instructions.js';
import { shiftLeft, withSign } from './bits.js';
import type { Steps } from './steps.js';

/** Adding it rounds to an integer, which then stands in the low bits. */
export const ROUNDER = 12582912; // 1.5·2²³
/** The bias of a float32 exponent: integers that are to become powers of two carry it along. */
const BIAS = 127;

/** (e^r − 1)/r on |r| ≤ ½ ln 2, within 10⁻⁷. */
const NEAR = [0.9999997, 0.49999148, 0.16667648, 0.04189825, 0.008289827] as const;
const SHORT = [0.50000036, 0.16666615, 0.041661184, 0.008336044, 0.0014105862, 0.00019621105] as const;
const LONG = [0.5, 0.16666672, 0.041666646, 0.008332661, 0.0013889774, 0.00020091308, 2.4835324e-5] as const;
const POWER_OF_TWO = [0.6931472, 0.24022648, 0.055503596, 0.009618499, 0.0013390969, 0.00015329264] as const;

/** ln 2 in two parts: integers up to 2⁸ times the first are exact. */
export const LN2 = [0.693145751953125, 1.428606765330187e-6] as const;
/** 2 ln 2 in two parts: integers up to 2⁸ times the first are exact. */
const STEP = [1.38629150390625, 2.857213530660374e-6] as const;

export interface Exponential {
  /** e^r − 1, relatively accurate. */
  readonly z: Code;
  /** 2ⁿ. */
  readonly power: Code;
}

export type Precision = 'short' | 'long';

/** The parts of e^(x + more) for −104 ≤ x ≤ 90 and a `more` that is small beside x. */
export function exponentialParts(m: Steps, x: Code, precision: Precision, more?: Code): Exponential {
  const whole = more === undefined ? x : f32x4.add(x, more);
  const t = m.keep(m.madd(whole, m.f(1 / (2 * Math.LN2)), m.f(ROUNDER + BIAS)));
  const q = m.keep(f32x4.sub(t, m.f(ROUNDER + BIAS)));
  const rest = m.madd(q, m.f(-STEP[1]), m.madd(q, m.f(-STEP[0]), x));
  const r = m.keep(more === undefined ? rest : f32x4.add(rest, more));
  const p = m.polynomial(precision === 'short' ? SHORT : LONG, r);
  return { z: m.madd(f32x4.mul(p, r), r, r), power: m.keep(shiftLeft(t, 23)) };
}

/** x held between bounds beyond which the result no longer changes; NaN passes. */
export const clamp = (m: Steps, x: Code, low: number, high: number): Code => f32x4.pmin(f32x4.pmax(x, m.f(low)), m.f(high));

/** e^x within 2 ULP; 0 below −103.97, ∞ above 88.72, denormals between. */
export function exp(m: Steps, x: Code): Code {
  const { z, power } = exponentialParts(m, m.keep(clamp(m, x, -104, 89)), 'short');
  return f32x4.mul(f32x4.mul(f32x4.add(z, m.f(1)), power), power);
}

/**
 * e^x for x ≤ 0 that is added to a 1 or divided by a sum that is at least 1: within 3 ULP down to −87.3, and 0 where
 * float32 would be denormal. Four instructions less than `exp`.
 */
export function decay(m: Steps, x: Code): Code {
  const c = m.keep(f32x4.pmax(x, m.f(-88)));
  const t = m.keep(m.madd(c, m.f(Math.LOG2E), m.f(ROUNDER + BIAS)));
  const q = m.keep(f32x4.sub(t, m.f(ROUNDER + BIAS)));
  const r = m.keep(m.madd(q, m.f(-LN2[1]), m.madd(q, m.f(-LN2[0]), c)));
  return f32x4.mul(m.madd(m.polynomial(NEAR, r), r, m.f(1)), shiftLeft(t, 23));
}

/** e^x − 1 within 2 ULP, relative to the small result near 0 too. */
export function expm1(m: Steps, x: Code): Code {
  const { z, power } = exponentialParts(m, m.keep(clamp(m, x, -104, 89)), 'long');
  const inverse = i32x4.sub(m.i(254 << 23), power);
  // (2ⁿz + (2ⁿ − 2⁻ⁿ))·2ⁿ, which is z itself for n = 0.
  const value = f32x4.mul(m.madd(z, power, f32x4.sub(power, inverse)), power);
  return withSign(m, value, x);
}

/** 2^x within 1.5 ULP, exact for integers: x = r + n, and 2ⁿ as the product of two halves. */
export function exp2(m: Steps, x: Code): Code {
  const c = m.keep(clamp(m, x, -151, 129));
  const t = m.keep(f32x4.add(c, m.f(ROUNDER + 2 * BIAS)));
  const n = m.keep(f32x4.sub(t, m.f(ROUNDER + 2 * BIAS)));
  const r = m.keep(f32x4.sub(c, n));
  const half = m.keep(m.madd(n, m.f(0.5), m.f(ROUNDER + BIAS)));
  const y = m.madd(m.polynomial(POWER_OF_TWO, r), r, m.f(1));
  return f32x4.mul(f32x4.mul(y, shiftLeft(half, 23)), shiftLeft(i32x4.sub(t, half), 23));
}
