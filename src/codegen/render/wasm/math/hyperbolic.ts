/**
 * @file Hyperbolic functions on four float32 lanes.
 */
import type { Code } from '../bytes.js';
import { f32x4 } from '../instructions.js';
import { choose, shiftLeft, withSign } from './bits.js';
import { clamp, exponentialParts, LN2, ROUNDER } from './exponential.js';
import { odd } from './odd.js';
import type { Steps } from './steps.js';

/** (e^r − 1 − r)/r² on |r| ≤ ½ ln 2. */
const HALF_STEP = [0.49999997, 0.16666545, 0.041667435, 0.008366474, 0.0013870983] as const;
/** (sinh √z / √z − 1)/z on 0 ≤ z ≤ 1. */
const SINH = [0.16666667, 0.0083333105, 0.00019842896, 2.7822132e-6] as const;

/** tanh x = e/(e + 2) with e = e^(2x) − 1, within 3 ULP, near 0 too. ±1 from 9.02 on. */
export function tanh(m: Steps, x: Code): Code {
  const c = m.keep(clamp(m, x, -9.1, 9.1));
  const t = m.keep(m.madd(c, m.f(2 * Math.LOG2E), m.f(ROUNDER + 127)));
  const q = m.keep(f32x4.sub(t, m.f(ROUNDER + 127)));
  const r = m.keep(m.madd(q, m.f(-LN2[1]), m.madd(q, m.f(-LN2[0]), f32x4.add(c, c))));
  const z = m.madd(f32x4.mul(m.polynomial(HALF_STEP, r), r), r, r);
  const power = m.keep(shiftLeft(t, 23));
  const e = m.keep(m.madd(z, power, f32x4.sub(power, m.f(1))));
  return withSign(m, f32x4.div(e, f32x4.add(e, m.f(2))), x);
}

/** e^a/2, which stays within float32 a little longer than e^a. */
function halfExponential(m: Steps, a: Code): Code {
  const { z, power } = exponentialParts(m, m.keep(f32x4.pmin(a, m.f(90))), 'long');
  return m.keep(f32x4.mul(f32x4.mul(f32x4.add(z, m.f(1)), power), f32x4.mul(power, m.f(0.5))));
}

/** cosh x within 2.5 ULP. */
export function cosh(m: Steps, x: Code): Code {
  const h = halfExponential(m, f32x4.abs(x));
  return f32x4.add(h, f32x4.div(m.f(0.25), h));
}

/** sinh x within 3 ULP: a polynomial below 1, where the exponentials would cancel. */
export function sinh(m: Steps, x: Code): Code {
  const a = m.keep(f32x4.abs(x));
  const h = halfExponential(m, a);
  const far = f32x4.sub(h, f32x4.div(m.f(0.25), h));
  const z = m.keep(f32x4.mul(a, a));
  const near = odd(m, SINH, a, z);
  return withSign(m, choose(f32x4.lt(a, m.f(1)), near, far), x);
}
