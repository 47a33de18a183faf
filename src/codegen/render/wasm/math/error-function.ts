/**
 * @file The error function and its complement on four float32 lanes.
 */
import type { Code } from '../bytes.js';
import { f32x4, v128 } from '../instructions.js';
import { choose, isNegative, withSign } from './bits.js';
import { exponentialParts } from './exponential.js';
import type { Steps } from './steps.js';

/** erf √z / √z − 1 on 0 ≤ z ≤ 0.86. */
const ERF = [0.12837915, -0.37612492, 0.11281767, -0.02676431, 0.004989348, -0.00059697725] as const;
const NEAR = 0.927734375;
/** −ln(erfc t)/t on 0.92 ≤ t ≤ 4. */
const LOG_ERFC = [1.1286485, 0.6351512, 0.10623704, -0.023762183, 0.0036425057, -0.00032281232, 1.123177e-5] as const;
/**
 * (1 + 2t) e^(t²) erfc t in q = (t − 2)/(t + 2), a function without steep places.
 * Source: Shepherd and Laframboise, Mathematics of Computation 36 (1981), 249–253.
 */
const ERFC = [
  1.2769784, -0.092763916, -0.16603094, 0.16405459, -0.054207683, -0.008057932, 0.008641111, 0.0013143368, -0.001239086,
  -0.0004052893,
] as const;

/** erf x within 1.5 ULP. */
export function erf(m: Steps, x: Code): Code {
  const a = m.keep(f32x4.abs(x));
  const z = m.keep(f32x4.mul(a, a));
  const near = m.madd(m.polynomial(ERF, z), a, a);
  const t = m.keep(f32x4.pmin(a, m.f(4)));
  const log = m.keep(f32x4.neg(f32x4.mul(m.polynomial(LOG_ERFC, t), t)));
  const { z: decay, power } = exponentialParts(m, log, 'short');
  const far = f32x4.sub(m.f(1), f32x4.mul(f32x4.mul(f32x4.add(decay, m.f(1)), power), power));
  return withSign(m, choose(f32x4.lt(a, m.f(NEAR)), near, far), x);
}

/** erfc x within 5 ULP, down to the smallest denormal near x = 10. */
export function erfc(m: Steps, x: Code): Code {
  const t = m.keep(f32x4.pmin(f32x4.abs(x), m.f(10.2)));
  const q = m.keep(f32x4.div(f32x4.sub(t, m.f(2)), f32x4.add(t, m.f(2))));
  const factor = f32x4.div(m.polynomial(ERFC, q), f32x4.add(f32x4.add(t, t), m.f(1)));
  // t² in two parts: the square of the upper 12 bits is exact.
  const upper = m.keep(v128.and(t, m.i(-0x1000)));
  const square = m.keep(f32x4.neg(f32x4.mul(upper, upper)));
  const rest = m.keep(f32x4.mul(f32x4.sub(upper, t), f32x4.add(t, upper)));
  const { z, power } = exponentialParts(m, square, 'short', rest);
  const value = m.keep(f32x4.mul(f32x4.mul(f32x4.mul(f32x4.add(z, m.f(1)), factor), power), power));
  return choose(isNegative(x), f32x4.sub(m.f(2), value), value);
}
