/**
 * @file Inverse trigonometric functions on four float32 lanes.
 */
import type { Code } from '../bytes.js';
import { f32x4, v128 } from '../instructions.js';
import { choose, infinity, isNegative, nanWhere, signOf, withSign } from './bits.js';
import { odd } from './odd.js';
import type { Steps } from './steps.js';

/** (atan √z / √z − 1)/z on 0 ≤ z ≤ 1, and (asin √z / √z − 1)/z on 0 ≤ z ≤ ¼. */
const ATAN = [
  -0.333333, 0.19998531, -0.14264052, 0.10951175, -0.08400475, 0.057906546, -0.031127002, 0.010887361, -0.0017875476,
] as const;
const ASIN = [0.16666752, 0.074953094, 0.04546915, 0.024184778, 0.042158306] as const;

const PI = Math.fround(Math.PI);
/** What float32 loses of π. */
const PI_REST = Math.PI - PI;

/** π·scale − x. */
const piLess = (m: Steps, scale: number, x: Code): Code => f32x4.sub(m.f(PI * scale), f32x4.sub(x, m.f(PI_REST * scale)));

/** atan of 0 ≤ t ≤ 1. */
function atanNear(m: Steps, t: Code): Code {
  const z = m.keep(f32x4.mul(t, t));
  return m.keep(odd(m, ATAN, t, z));
}

/** atan x within 2 ULP. */
export function atan(m: Steps, x: Code): Code {
  const a = m.keep(f32x4.abs(x));
  const isSteep = m.keep(f32x4.gt(a, m.f(1)));
  const p = atanNear(m, m.keep(f32x4.div(choose(isSteep, m.f(1), a), choose(isSteep, a, m.f(1)))));
  return withSign(m, choose(isSteep, piLess(m, 0.5, p), p), x);
}

/** The angle of (x, y) within 3 ULP, with C99's values for zeros and infinities. */
export function atan2(m: Steps, y: Code, x: Code): Code {
  const ax = m.keep(f32x4.abs(x));
  const ay = m.keep(f32x4.abs(y));
  const low = m.keep(f32x4.pmin(ax, ay));
  const high = m.keep(f32x4.pmax(ax, ay));
  const ratio = choose(f32x4.eq(low, infinity(m)), m.f(1), f32x4.div(low, high));
  const p = atanNear(m, m.keep(v128.andnot(ratio, f32x4.eq(high, m.f(0)))));
  const upper = m.keep(choose(f32x4.gt(ay, ax), piLess(m, 0.5, p), p));
  const angle = choose(isNegative(x), piLess(m, 1, upper), upper);
  return nanWhere(v128.xor(angle, signOf(m, y)), v128.or(f32x4.ne(x, x), f32x4.ne(y, y)));
}

interface Arcsine {
  /** asin of t, which is a, or √((1 − a)/2) where a > ½. */
  readonly p: Code;
  readonly isBig: Code;
}

function arcsine(m: Steps, a: Code): Arcsine {
  const isBig = m.keep(f32x4.gt(a, m.f(0.5)));
  const z = m.keep(choose(isBig, f32x4.mul(f32x4.sub(m.f(1), a), m.f(0.5)), f32x4.mul(a, a)));
  const t = m.keep(choose(isBig, f32x4.sqrt(z), a));
  return { p: m.keep(odd(m, ASIN, t, z)), isBig };
}

/** asin x within 2.5 ULP; NaN beyond ±1. */
export function asin(m: Steps, x: Code): Code {
  const { p, isBig } = arcsine(m, m.keep(f32x4.abs(x)));
  return withSign(m, choose(isBig, piLess(m, 0.5, f32x4.add(p, p)), p), x);
}

/** acos x within 2 ULP; NaN beyond ±1. */
export function acos(m: Steps, x: Code): Code {
  const { p, isBig } = arcsine(m, m.keep(f32x4.abs(x)));
  const twice = m.keep(f32x4.add(p, p));
  const far = choose(isNegative(x), piLess(m, 1, twice), twice);
  return choose(isBig, far, piLess(m, 0.5, v128.xor(p, signOf(m, x))));
}
