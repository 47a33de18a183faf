/**
 * @file Exponentials, logarithms and what is made of them. `Math.exp` and `Math.log` are right to 1e-5 where their results are
 * finite; expm1, log1p and tanh lose all digits near 0 in shading languages, or overflow.
 */
import type { Text } from '../text.js';
import { odd, polynomial, unlessNaN, withSign, type Unary } from './plain.js';

/** (e^r − 1 − r)/r² on |r| ≤ ln 2. */
const EXPM1 = [0.5, 0.16666672, 0.041666646, 0.008332661, 0.0013889774, 0.00020091308, 2.4835324e-5] as const;
/** The series of artanh, with the coefficients of FreeBSD's `e_logf.c` (Sun Microsystems, 1993; freely distributable). */
const LOG1P = [0.66666662693, 0.40000972152, 0.28498786688, 0.24279078841] as const;
/** (sinh √z / √z − 1)/z on 0 ≤ z ≤ 1. */
const SINH = [0.16666667, 0.0083333105, 0.00019842896, 2.7822132e-6] as const;

/** e^x; shading languages need not carry NaN through it. */
export const exp: Unary = (_m, x) => unlessNaN(x, `Math.exp(${x})`);

/** ln x, whose ends shading languages leave open: −∞ at 0, NaN below, ∞ and NaN for themselves. */
export const log: Unary = (m, x) => {
  const infinity = m.f(Infinity);
  return `(${x}>0?(${x}<${infinity}?Math.log(${x}):${x}):(${x}===0?${m.f(-Infinity)}:${unlessNaN(x, m.f(NaN))}))`;
};

/** The same of an expression. */
const expOf = (m: Text, expression: string): string => exp(m, m.keep(expression));
const logOf = (m: Text, expression: string): string => log(m, m.keep(expression));

/** A power of two is the product of two halves, so that neither leaves the range of float32 before the result does. */
export const exp2: Unary = (m, x) => {
  const c = m.keep(`(${x}>129?129:(${x}<-151?-151:${x}))`);
  const n = m.keep(`Math.floor(${c}+0.5)`);
  const half = m.keep(`Math.floor(${n}*0.5)`);
  return `${expOf(m, `(${c}-${n})*${m.f(Math.LN2)}`)}*Math.pow(2,${half})*Math.pow(2,${n}-${half})`;
};

export const expm1: Unary = (m, x) => {
  const near = m.keep(`${x}*${x}*${polynomial(m, EXPM1, x)}+${x}`);
  return `(Math.abs(${x})<0.5?${near}:${exp(m, x)}-1)`;
};

export const log1p: Unary = (m, x) => {
  const s = m.keep(`${x}/(${x}+2)`);
  const z = m.keep(`${s}*${s}`);
  const half = m.keep(`${x}*${x}*0.5`);
  const near = m.keep(`${x}-(${half}-${s}*(${half}+${polynomial(m, LOG1P, z)}*${z}))`);
  const far = m.keep(logOf(m, `${x}+1`));
  return `(${x}>-0.25?(${x}<0.4?${near}:${far}):${far})`;
};

const scaledLog =
  (factor: number): Unary =>
  (m, x) =>
    `${log(m, x)}*${m.f(factor)}`;
export const log2 = scaledLog(Math.LOG2E);
export const log10 = scaledLog(Math.LOG10E);

/** e^(a/2) stays within float32 a little longer than e^a. */
const halves = (m: Parameters<Unary>[0], a: string): string => {
  const e = m.keep(expOf(m, `${a}*0.5`));
  return m.keep(`${e}*0.5*${e}`);
};

export const cosh: Unary = (m, x) => {
  const h = halves(m, m.keep(`Math.abs(${x})`));
  return `(${h}+0.25/${h})`;
};

export const sinh: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const h = halves(m, a);
  const z = m.keep(`${x}*${x}`);
  const far = m.keep(`${h}-0.25/${h}`);
  return `(${a}<1?${odd(m, SINH, x, z)}:${withSign(x, far)})`;
};

/** Beyond ±10 it is ±1 in float32; the series serves where 1 − 2/(e^2x + 1) would cancel. */
export const tanh: Unary = (m, x) => {
  const c = m.keep(`(${x}>10?10:(${x}<-10?-10:${x}))`);
  return `(Math.abs(${x})<0.02?${x}*(1-${x}*${x}/3):1-2/(${expOf(m, `${c}*2`)}+1))`;
};

/** From here on √(a² ± 1) is a. */
const HUGE = 2 ** 30;

export const asinh: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const square = m.keep(`${a}*${a}`);
  const near = log1p(m, m.keep(`${a}+${square}/(Math.sqrt(${square}+1)+1)`));
  const value = m.keep(`(${a}<${HUGE}?${near}:${log(m, a)}+${m.f(Math.LN2)})`);
  return `(${x}===0?${x}:${withSign(x, value)})`;
};

export const acosh: Unary = (m, x) => {
  const t = m.keep(`${x}-1`);
  const near = log1p(m, m.keep(`${t}+Math.sqrt(${t}*(${t}+2))`));
  return `(${x}<1?${m.f(NaN)}:(${x}<${HUGE}?${near}:${log(m, x)}+${m.f(Math.LN2)}))`;
};

export const atanh: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const value = m.keep(`${log1p(m, m.keep(`(${a}+${a})/(1-${a})`))}*0.5`);
  return `(${a}<1?${withSign(x, value)}:(${a}===1?${withSign(x, m.f(Infinity))}:${m.f(NaN)}))`;
};

/** A step of Newton's from e^(ln(a)/3), which alone is a dozen units off. */
export const cbrt: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const r = m.keep(`Math.exp(Math.log(${a})/3)`);
  const root = m.keep(`${r}-(${r}*${r}*${r}-${a})/(${r}*${r}*3)`);
  return `(${a}>0?(${a}<${m.f(Infinity)}?${withSign(x, root)}:${x}):${unlessNaN(x, x)})`;
};
