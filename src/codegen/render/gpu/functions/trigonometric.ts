/**
 * @file Sine and its relatives as polynomials: shading languages promise two digits less than float32 holds.
 */
import type { Text } from '../text.js';
import { isNegative, odd, polynomial, withSign, type Binary, type Unary } from './plain.js';

/** (sin √z / √z − 1)/z, (cos √z − 1 + z/2)/z² and (tan √z / √z − 1)/z on 0 ≤ z ≤ (π/4)². */
const SIN = [-0.16666654, 0.008332106, -0.00019507881] as const;
const COS = [0.041666646, -0.0013887308, 2.4432093e-5] as const;
const TAN = [0.3333335, 0.13332668, 0.054060243, 0.021277636, 0.010852984, 6.248896e-5, 0.0043917345] as const;
/** (atan √z / √z − 1)/z on 0 ≤ z ≤ 1, and (asin √z / √z − 1)/z on 0 ≤ z ≤ ¼. */
const ATAN = [
  -0.333333, 0.19998531, -0.14264052, 0.10951175, -0.08400475, 0.057906546, -0.031127002, 0.010887361, -0.0017875476,
] as const;
const ASIN = [0.16666752, 0.074953094, 0.04546915, 0.024184778, 0.042158306] as const;

/** Quarter turns are counted exactly below it, as products with each part of π/2 (Cody and Waite); the mode's own serve beyond. */
export const MOST_RADIANS = 12800;
const HALF_PI = [1.5703125, 0.0004837512969970703, 7.549533620476723e-8, 2.5632829192545614e-12] as const;

interface Reduced {
  /** |x| less n quarter turns. */
  readonly r: string;
  readonly n: string;
  readonly isNear: string;
}

function reduce(m: Text, x: string): Reduced {
  const a = m.keep(`Math.abs(${x})`);
  const isNear = `${a}<${MOST_RADIANS}`;
  const n = m.keep(`(${isNear}?Math.floor(${a}*${m.f(2 / Math.PI)}+0.5):0)`);
  const r = HALF_PI.reduce((rest, part) => m.keep(`${rest}-${n}*${m.f(part)}`), a);
  return { r, n, isNear };
}

/** 1 for odd numbers, 0 for even ones. */
const parity = (m: Text, n: string): string => m.keep(`${n}-2*Math.floor(${n}*0.5)`);

/** sin of n quarter turns and r. */
function sine(m: Text, r: string, n: string): string {
  const z = m.keep(`${r}*${r}`);
  const s = m.keep(odd(m, SIN, r, z));
  const c = m.keep(`${polynomial(m, COS, z)}*${z}*${z}-${z}*0.5+1`);
  const value = m.keep(`(${parity(m, n)}===0?${s}:${c})`);
  const half = parity(m, m.keep(`Math.floor(${n}*0.5)`));
  return m.keep(`(${half}===0?${value}:-${value})`);
}

export const sin: Unary = (m, x) => {
  const { r, n, isNear } = reduce(m, x);
  return `(${isNear}?${withSign(x, sine(m, r, n))}:Math.sin(${x}))`;
};

export const cos: Unary = (m, x) => {
  const { r, n, isNear } = reduce(m, x);
  return `(${isNear}?${sine(m, r, m.keep(`${n}+1`))}:Math.cos(${x}))`;
};

export const tan: Unary = (m, x) => {
  const { r, n, isNear } = reduce(m, x);
  const z = m.keep(`${r}*${r}`);
  const t = m.keep(odd(m, TAN, r, z));
  const value = m.keep(`(${parity(m, n)}===0?${t}:-1/${t})`);
  return `(${isNear}?${withSign(x, value)}:Math.tan(${x}))`;
};

/** atan of 0 ≤ t ≤ 1. */
const atanNear = (m: Text, t: string): string => m.keep(odd(m, ATAN, t, m.keep(`${t}*${t}`)));

export const atan: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const p = atanNear(m, m.keep(`(${a}>1?1/${a}:${a})`));
  const angle = m.keep(`(${a}>1?${m.f(Math.PI / 2)}-${p}:${p})`);
  return `(${x}===0?${x}:${withSign(x, angle)})`;
};

export const atan2: Binary = (m, y, x) => {
  const ax = m.keep(`Math.abs(${x})`);
  const ay = m.keep(`Math.abs(${y})`);
  const low = m.keep(`(${ay}>${ax}?${ax}:${ay})`);
  const high = m.keep(`(${ay}>${ax}?${ay}:${ax})`);
  const p = atanNear(m, m.keep(`(${high}===0?0:(${low}===${m.f(Infinity)}?1:${low}/${high}))`));
  const upper = m.keep(`(${ay}>${ax}?${m.f(Math.PI / 2)}-${p}:${p})`);
  const angle = m.keep(`(${isNegative(m, x)}<0?${m.f(Math.PI)}-${upper}:${upper})`);
  const signed = m.keep(`(${isNegative(m, y)}<0?-${angle}:${angle})`);
  return `(${x}===${x}?(${y}===${y}?${signed}:${y}):${x})`;
};

/** asin of a, or of √((1 − a)/2) where a > ½. */
function arcsine(m: Text, a: string): string {
  const z = m.keep(`(${a}>0.5?(1-${a})*0.5:${a}*${a})`);
  const t = m.keep(`(${a}>0.5?Math.sqrt(${z}):${a})`);
  return m.keep(odd(m, ASIN, t, z));
}

export const asin: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const p = arcsine(m, a);
  const value = m.keep(`(${a}>0.5?${m.f(Math.PI / 2)}-2*${p}:${p})`);
  return `(${a}<=1?(${x}===0?${x}:${withSign(x, value)}):${m.f(NaN)})`;
};

export const acos: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const p = arcsine(m, a);
  const far = m.keep(`(${x}<0?${m.f(Math.PI)}-2*${p}:2*${p})`);
  return `(${a}<=1?(${a}>0.5?${far}:${m.f(Math.PI / 2)}-${withSign(x, p)}):${m.f(NaN)})`;
};
