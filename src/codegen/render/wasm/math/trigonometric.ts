/**
 * @file Sine, cosine and tangent on four float32 lanes.
 */
import type { Code } from '../bytes.js';
import { f32x4, i32x4, v128 } from '../instructions.js';
import { choose, isOdd, shiftLeft, signOf } from './bits.js';
import { odd } from './odd.js';
import { reduce } from './quarter-turns.js';
import type { Steps } from './steps.js';

/** (sin √z / √z − 1)/z, (cos √z − 1 + z/2)/z² and (tan √z / √z − 1)/z on 0 ≤ z ≤ (π/4)². */
const SIN = [-0.16666654, 0.008332106, -0.00019507881] as const;
const COS = [0.041666646, -0.0013887308, 2.4432093e-5] as const;
const TAN = [0.3333335, 0.13332668, 0.054060243, 0.021277636, 0.010852984, 6.248896e-5, 0.0043917345] as const;

/** sin of the angle that is n quarter turns and r. */
function sine(m: Steps, r: Code, n: Code): Code {
  const z = m.keep(f32x4.mul(r, r));
  const s = odd(m, SIN, r, z);
  const c = m.madd(f32x4.mul(z, z), m.polynomial(COS, z), m.madd(z, m.f(-0.5), m.f(1)));
  return v128.xor(choose(isOdd(n), c, s), signOf(m, shiftLeft(n, 30)));
}

/** sin x within 3 ULP for every x. */
export function sin(m: Steps, x: Code): Code {
  const { r, n } = reduce(m, m.keep(f32x4.abs(x)));
  return v128.xor(sine(m, r, n), signOf(m, x));
}

/** cos x within 3 ULP for every x. */
export function cos(m: Steps, x: Code): Code {
  const { r, n } = reduce(m, m.keep(f32x4.abs(x)));
  return sine(m, r, m.keep(i32x4.add(n, m.i(1))));
}

/** tan x within 3.5 ULP for every x. */
export function tan(m: Steps, x: Code): Code {
  const { r, n } = reduce(m, m.keep(f32x4.abs(x)));
  const z = m.keep(f32x4.mul(r, r));
  const t = m.keep(odd(m, TAN, r, z));
  return v128.xor(choose(isOdd(n), f32x4.div(m.f(-1), t), t), signOf(m, x));
}
