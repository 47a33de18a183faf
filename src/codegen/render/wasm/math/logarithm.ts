/**
 * @file Logarithms on four float32 lanes.
 *
 * x = 2^k · (1 + f) with √½ ≤ 1 + f < √2. ln(1 + f) by the series of artanh in s = f/(2 + f), with the coefficients of
 * FreeBSD's `e_logf.c` (Sun Microsystems, 1993; freely distributable).
 */
import type { Code } from '../bytes.js';
import { f32x4, i32, i32x4, v128 } from '../instructions.js';
import { choose, infinity, shiftLeft, withSign } from './bits.js';
import type { Steps } from './steps.js';

const SERIES = [0.66666662693, 0.40000972152, 0.28498786688, 0.24279078841] as const;
const SQRT_HALF = 0x3f3504f3;
/** ln 2 and log₁₀ 2 in two parts: an exponent times the first is exact. */
const LN2 = [0.693145751953125, 1.428606765330187e-6] as const;
const LOG10_2 = [0.301025390625, 4.605039066518657e-6] as const;

export interface Split {
  /** 1 + f. */
  readonly mantissa: Code;
  /** k, as an int32 and as a float32; denormals are scaled first and counted in the second alone. */
  readonly exponent: Code;
  readonly k: Code;
}

/** 2^k·(1 + f) of a positive normal float32. */
function splitNormal(m: Steps, x: Code): { readonly mantissa: Code; readonly exponent: Code } {
  const bits = m.keep(i32x4.sub(x, m.i(SQRT_HALF)));
  const mantissa = m.keep(i32x4.add(v128.and(bits, m.i(0x7fffff)), m.i(SQRT_HALF)));
  return { mantissa, exponent: m.keep(i32x4.shr_s(bits, i32.const(23))) };
}

/** 2^k·(1 + f) of any positive finite float32. */
export function split(m: Steps, x: Code): Split {
  const isSmall = m.keep(f32x4.lt(x, m.f(2 ** -126)));
  const scaled = m.keep(f32x4.mul(x, choose(isSmall, m.f(2 ** 23), m.f(1))));
  const { mantissa, exponent } = splitNormal(m, scaled);
  return { mantissa, exponent, k: m.keep(f32x4.sub(f32x4.convert_i32x4_s(exponent), v128.and(isSmall, m.f(23)))) };
}

/** ln(1 + f) + more = f − (half − (series + more)). */
function lnOnePlus(m: Steps, f: Code, more?: Code): Code {
  const s = m.keep(f32x4.div(f, f32x4.add(f, m.f(2))));
  const z = m.keep(f32x4.mul(s, s));
  const half = m.keep(f32x4.mul(f32x4.mul(f, f), m.f(0.5)));
  const inner = f32x4.add(half, f32x4.mul(m.polynomial(SERIES, z), z));
  const series = more === undefined ? f32x4.mul(s, inner) : m.madd(s, inner, more);
  return f32x4.sub(f, f32x4.sub(half, series));
}

/** What logarithms give outside (0, ∞): −∞ for 0, NaN below, ∞ and NaN for themselves. */
function withEnds(m: Steps, x: Code, value: Code): Code {
  const isInside = v128.and(f32x4.gt(x, m.f(0)), f32x4.lt(x, infinity(m)));
  const end = f32x4.sub(v128.or(x, f32x4.lt(x, m.f(0))), v128.and(f32x4.eq(x, m.f(0)), infinity(m)));
  return choose(isInside, value, end);
}

const withExponent = (m: Steps, f: Code, k: Code): Code => m.madd(k, m.f(LN2[0]), lnOnePlus(m, f, f32x4.mul(k, m.f(LN2[1]))));

/** ln x within 1 ULP. */
export function log(m: Steps, x: Code): Code {
  const { mantissa, k } = split(m, x);
  return withEnds(m, x, withExponent(m, m.keep(f32x4.sub(mantissa, m.f(1))), k));
}

/** log₂ x within 2.5 ULP, exact for powers of two. */
export function log2(m: Steps, x: Code): Code {
  const { mantissa, k } = split(m, x);
  const f = m.keep(f32x4.sub(mantissa, m.f(1)));
  return withEnds(m, x, m.madd(lnOnePlus(m, f), m.f(Math.LOG2E), k));
}

/** log₁₀ x within 2.5 ULP. */
export function log10(m: Steps, x: Code): Code {
  const { mantissa, k } = split(m, x);
  const f = m.keep(f32x4.sub(mantissa, m.f(1)));
  const low = m.madd(lnOnePlus(m, f), m.f(Math.LOG10E), f32x4.mul(k, m.f(LOG10_2[1])));
  return withEnds(m, x, m.madd(k, m.f(LOG10_2[0]), low));
}

/** ln(1 + x) within 1.5 ULP, relative to the small result near 0 too: what rounding 1 + x loses is put back into f. */
export function log1p(m: Steps, x: Code): Code {
  const u = m.keep(f32x4.add(x, m.f(1)));
  const part = m.keep(f32x4.sub(u, m.f(1)));
  const lost = m.keep(f32x4.add(f32x4.sub(m.f(1), f32x4.sub(u, part)), f32x4.sub(x, part)));
  const { mantissa, exponent } = splitNormal(m, u);
  // Beyond 2¹²⁶ nothing is lost.
  const scale = shiftLeft(i32x4.max_s(i32x4.sub(m.i(127), exponent), m.i(0)), 23);
  const f = m.keep(m.madd(lost, scale, f32x4.sub(mantissa, m.f(1))));
  const value = m.keep(withExponent(m, f, f32x4.convert_i32x4_s(exponent)));
  return withEnds(m, u, withSign(m, value, x));
}
