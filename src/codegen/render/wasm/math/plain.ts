/**
 * @file Functions of float32 lanes that hardware nearly has: rounding, signs, comparisons, logic.
 */
import type { Code } from '../bytes.js';
import { f32x4, v128 } from '../instructions.js';
import { choose, infinity, isFinite, signOf, truth } from './bits.js';
import type { Steps } from './steps.js';

type Unary = (m: Steps, x: Code) => Code;
type Binary = (m: Steps, x: Code, y: Code) => Code;

/** ±1; zeros and NaN stay. */
export const sign: Unary = (m, x) => choose(f32x4.gt(f32x4.abs(x), m.f(0)), v128.or(signOf(m, x), m.f(1)), x);

export const isnan: Unary = (m, x) => truth(m, f32x4.ne(x, x));
export const isfinite: Unary = (m, x) => truth(m, isFinite(m, f32x4.abs(x)));
export const isinf: Unary = (m, x) => truth(m, f32x4.eq(f32x4.abs(x), infinity(m)));
export const not: Unary = (m, x) => truth(m, f32x4.eq(x, m.f(0)));

export const compared =
  (compare: (x: Code, y: Code) => Code): Binary =>
  (m, x, y) =>
    truth(m, compare(x, y));

/** A logical function of two masks; NaN is true, for it is not zero. */
export const logical =
  (combine: (x: Code, y: Code) => Code): Binary =>
  (m, x, y) =>
    truth(m, combine(f32x4.ne(x, m.f(0)), f32x4.ne(y, m.f(0))));
