/**
 * @file Remainders of float32 lanes, exact, in float64.
 *
 * A quotient cut to its upper bits times the divisor is exact, and so is what it leaves of the dividend; a few rounds
 * of that reach any quotient, one suffices below 2²⁴.
 */
import type { Code } from '../bytes.js';
import { brIf, f32x4, f64x2, loop, v128 } from '../instructions.js';
import { choose, signOf } from './bits.js';
import { steps, type Steps } from './steps.js';
import { inDoubles } from './wide.js';

/** Keeps 24 of the 52 bits of a float64's fraction. */
const UPPER_BITS = [0xf0, 0xff, 0xff, 0xff] as const;

/** x − trunc(x/y)·y, with the sign of x; NaN for y = 0 and infinite x. */
export function fmod(m: Steps, x: Code, y: Code): Code {
  const upper = m.scope.constant('v128', [0xfd, 0x0c, [0, 0, 0, ...UPPER_BITS, 0xff], [0, 0, 0, ...UPPER_BITS, 0xff]]);
  const [value] = inDoubles(m, [x, y], ([u, v]) => {
    const a = m.keep(f64x2.abs(v));
    const rest = m.variable(u);
    const isLeft = m.variable(f64x2.ge(f64x2.abs(u), a));
    const round = steps(m.scope, m.target);
    const q = v128.and(f64x2.trunc(f64x2.div(rest.get, a)), upper);
    const less = round.keep(f64x2.sub(rest.get, f64x2.mul(q, a)));
    round.run(rest.set(v128.bitselect(less, rest.get, isLeft.get)));
    round.run(isLeft.set(f64x2.ge(f64x2.abs(rest.get), a)));
    m.run(loop(round.result([]), brIf(0, v128.any_true(isLeft.get))));
    // A quotient rounded up to the next integer leaves a rest of the other sign.
    const signed = v128.xor(rest.get, v128.and(u, m.d(-0)));
    const wrong = f64x2.lt(signed, m.d(0));
    const shift = v128.xor(a, v128.and(u, m.d(-0)));
    return [f64x2.add(rest.get, v128.and(wrong, shift))];
  });
  const exact = v128.or(f32x4.abs(value), signOf(m, x));
  return v128.or(exact, f32x4.ne(y, y));
}

/** NumPy's mod: the remainder with the sign of y, also when it is 0. */
export function mod(m: Steps, x: Code, y: Code): Code {
  const rest = m.keep(fmod(m, x, y));
  const isOtherSign = v128.xor(f32x4.lt(y, m.f(0)), f32x4.lt(rest, m.f(0)));
  const isShifted = v128.and(isOtherSign, f32x4.eq(rest, rest));
  const value = f32x4.add(rest, v128.and(isShifted, y));
  return choose(f32x4.eq(rest, m.f(0)), signOf(m, y), value);
}
