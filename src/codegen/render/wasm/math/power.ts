/**
 * @file Powers, the cube root and the hypotenuse on four float32 lanes.
 */
import type { Code } from '../bytes.js';
import { f32x4, f64x2, i32, i32x4, i64x2, v128 } from '../instructions.js';
import { choose, infinity, isFinite, nanWhere, signOf, withSign } from './bits.js';
import { split } from './logarithm.js';
import type { Steps } from './steps.js';
import { inDoubles } from './wide.js';

/** log₂((1 + s)/(1 − s))/s in s², |s| ≤ 3 − 2√2, and 2^r on |r| ≤ ½; in float64. */
const LOG2 = [
  2.885390081777849, 0.9617966941159952, 0.5770779415404108, 0.4122093398934575, 0.3199019545500718, 0.28295565487581203,
] as const;
const EXP2 = [
  0.9999999999616821, 0.6931471807284562, 0.24022651198155617, 0.055504103534210904, 0.009618027253885695, 0.001333392258591792,
  0.00015469291080454192, 1.5201916322531078e-5,
] as const;
/** As in `exponential.ts`, for float64: rounds to an integer, with the bias of an exponent. */
const ROUNDER = 1.5 * 2 ** 52 + 1023;

/** 2^(y·log₂ a) in float64, where log₂ of 0, ∞ and NaN has come in with the exponent. */
function magnitude(m: Steps, mantissa: Code, k: Code, y: Code): Code {
  const [value] = inDoubles(m, [mantissa, k, y], ([u, e, v]) => {
    const s = m.keep(f64x2.div(f64x2.sub(u, m.d(1)), f64x2.add(u, m.d(1))));
    const log = f64x2.add(f64x2.mul(s, m.polynomial64(LOG2, m.keep(f64x2.mul(s, s)))), e);
    const p = m.keep(f64x2.pmin(f64x2.pmax(f64x2.mul(log, v), m.d(-200)), m.d(200)));
    const t = m.keep(f64x2.add(p, m.d(ROUNDER)));
    const r = m.keep(f64x2.sub(p, f64x2.sub(t, m.d(ROUNDER))));
    return [f64x2.mul(m.polynomial64(EXP2, r), i64x2.shl(t, i32.const(52)))];
  });
  return value;
}

/** x^y within 0.6 ULP, with C99's values for zeros, infinities, NaN and negative bases. */
export function pow(m: Steps, x: Code, y: Code): Code {
  const a = m.keep(f32x4.abs(x));
  const { mantissa, k } = split(m, a);
  const end = f32x4.sub(v128.andnot(a, isFinite(m, a)), v128.and(f32x4.eq(a, m.f(0)), infinity(m)));
  const value = magnitude(m, mantissa, m.keep(f32x4.add(k, end)), y);

  const isWhole = m.keep(f32x4.eq(f32x4.trunc(y), y));
  const half = m.keep(f32x4.mul(y, m.f(0.5)));
  const isOdd = v128.and(isWhole, f32x4.ne(f32x4.trunc(half), half));
  const signed = v128.xor(value, v128.and(isOdd, signOf(m, x)));
  const isUndefined = v128.andnot(v128.and(f32x4.lt(x, m.f(0)), isFinite(m, a)), isWhole);
  const isOne = v128.or(
    v128.or(f32x4.eq(y, m.f(0)), f32x4.eq(x, m.f(1))),
    v128.and(f32x4.eq(a, m.f(1)), f32x4.eq(f32x4.abs(y), infinity(m))),
  );
  return choose(isOne, m.f(1), nanWhere(signed, isUndefined));
}

/** A third of the exponent, as bits. */
const THIRD_OF_BIAS = 709958130;

/** ∛x within 1.5 ULP: two of Halley's steps from a third of the exponent. */
export function cbrt(m: Steps, x: Code): Code {
  const a = m.keep(f32x4.abs(x));
  // Cubes must neither overflow nor vanish.
  const isSmall = m.keep(f32x4.lt(a, m.f(2 ** -60)));
  const isLarge = m.keep(f32x4.gt(a, m.f(2 ** 60)));
  const between = (small: number, large: number): Code => choose(isSmall, m.f(small), choose(isLarge, m.f(large), m.f(1)));
  const v = m.keep(f32x4.mul(a, between(2 ** 72, 2 ** -72)));
  const third = i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.convert_i32x4_s(v), m.f(1 / 3)));
  const halley = (t: Code): Code => {
    const cube = m.keep(f32x4.mul(f32x4.mul(t, t), t));
    const correction = f32x4.div(f32x4.mul(t, f32x4.sub(v, cube)), f32x4.add(v, f32x4.add(cube, cube)));
    return m.keep(f32x4.add(t, correction));
  };
  const root = halley(halley(m.keep(i32x4.add(third, m.i(THIRD_OF_BIAS)))));
  const value = withSign(m, f32x4.mul(root, between(2 ** -24, 2 ** 24)), x);
  return choose(v128.and(f32x4.gt(a, m.f(0)), isFinite(m, a)), value, x);
}

/** √(x² + y²) within 0.6 ULP, in float64, which the squares cannot leave. ∞ wins over NaN. */
export function hypot(m: Steps, x: Code, y: Code): Code {
  const [value] = inDoubles(m, [x, y], ([u, v]) => [f64x2.sqrt(f64x2.add(f64x2.mul(u, u), f64x2.mul(v, v)))]);
  const isInfinite = v128.or(f32x4.eq(f32x4.abs(x), infinity(m)), f32x4.eq(f32x4.abs(y), infinity(m)));
  return choose(isInfinite, infinity(m), value);
}
