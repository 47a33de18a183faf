/**
 * @file Inverse hyperbolic functions on four float32 lanes, by ln(1 + u).
 */
import type { Code } from '../bytes.js';
import { f32x4, v128 } from '../instructions.js';
import { choose, nanWhere, withSign } from './bits.js';
import { log1p } from './logarithm.js';
import type { Steps } from './steps.js';

/** From here on √(a² ± 1) is a, and the result ln a + ln 2. */
const HUGE = 2 ** 30;

/** ln(1 + near), or ln a + ln 2 where a is huge. */
function logOf(m: Steps, a: Code, near: Code): Code {
  const isHuge = m.keep(f32x4.ge(a, m.f(HUGE)));
  return f32x4.add(log1p(m, m.keep(choose(isHuge, a, near))), v128.and(isHuge, m.f(Math.LN2)));
}

/** asinh x within 3 ULP, relative near 0 too. */
export function asinh(m: Steps, x: Code): Code {
  const a = m.keep(f32x4.abs(x));
  const square = m.keep(f32x4.mul(a, a));
  const root = f32x4.sqrt(f32x4.add(square, m.f(1)));
  const near = f32x4.add(a, f32x4.div(square, f32x4.add(root, m.f(1))));
  return withSign(m, m.keep(logOf(m, a, near)), x);
}

/** acosh x within 3 ULP; NaN below 1. */
export function acosh(m: Steps, x: Code): Code {
  const t = m.keep(f32x4.sub(x, m.f(1)));
  const near = f32x4.add(t, f32x4.sqrt(f32x4.mul(t, f32x4.add(t, m.f(2)))));
  return nanWhere(logOf(m, x, near), f32x4.lt(x, m.f(1)));
}

/** atanh x = ½ ln(1 + 2a/(1 − a)) within 3 ULP; ±∞ at ±1, NaN beyond. */
export function atanh(m: Steps, x: Code): Code {
  const a = m.keep(f32x4.abs(x));
  const u = m.keep(f32x4.div(f32x4.add(a, a), f32x4.sub(m.f(1), a)));
  return withSign(m, f32x4.mul(log1p(m, u), m.f(0.5)), x);
}
