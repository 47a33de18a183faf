/**
 * @file Functions that one expression says, in forms that are right where comparisons with NaN are compiled away.
 *
 * A test for NaN is `x===x?…`; `!==` is never written. Both branches of a condition may be computed.
 */
import type { Text } from '../text.js';

/** A function of one value that is kept under a name; gives an expression. */
export type Unary = (m: Text, x: string) => string;
/** A function of two values that are kept under names; gives an expression. */
export type Binary = (m: Text, x: string, y: string) => string;

/** `y` where x is NaN, as arithmetic would give it; else the value. */
export const unlessNaN = (x: string, value: string, otherwise = x): string => `(${x}===${x}?${value}:${otherwise})`;

export const sign: Unary = (_m, x) => `(${x}>0?1:(${x}<0?-1:${x}))`;

/** A number that is negative where x is: −0 is told from 0 by its reciprocal. */
export const isNegative = (m: Text, x: string): string => m.keep(`(${x}===0?1/${x}:${x})`);

/** Half to even; the floor of an infinity is itself, and so is one more. */
export const round: Unary = (m, x) => {
  const low = m.keep(`Math.floor(${x})`);
  const rest = m.keep(`${x}-${low}`);
  const half = m.keep(`${low}*0.5`);
  const near = m.keep(`(${rest}<0.5?${low}:(${rest}>0.5?${low}+1:(Math.floor(${half})===${half}?${low}:${low}+1)))`);
  // The sign of zero is the operand's.
  return `(${near}===0?(${isNegative(m, x)}<0?-Math.abs(${near}):Math.abs(${near})):${near})`;
};

export const isnan: Unary = (_m, x) => `(${x}===${x}?0:1)`;
export const isfinite: Unary = (m, x) => `(Math.abs(${x})<${m.f(Infinity)}?1:0)`;
export const isinf: Unary = (m, x) => `(Math.abs(${x})===${m.f(Infinity)}?1:0)`;
export const not: Unary = (_m, x) => `(${x}===0?1:0)`;
export const truth = (x: string): string => `(${x}===0?0:1)`;

export const compared =
  (operator: '===' | '<' | '<=' | '>' | '>='): Binary =>
  (_m, x, y) =>
    `(${x}${operator}${y}?1:0)`;
export const ne: Binary = (_m, x, y) => `(${x}===${y}?0:1)`;
export const and: Binary = (_m, x, y) => `(${x}===0?0:(${y}===0?0:1))`;
export const or: Binary = (_m, x, y) => `(${x}===0?(${y}===0?0:1):1)`;
export const xor: Binary = (_m, x, y) => `(${x}===0?(${y}===0?0:1):(${y}===0?1:0))`;

/** NaN wins, whichever it is: shading languages drop it. */
export const extreme =
  (name: 'min' | 'max'): Binary =>
  (_m, x, y) =>
    unlessNaN(x, unlessNaN(y, `Math.${name}(${x},${y})`));

/** c₀ + c₁x + … */
export const polynomial = (m: Text, coefficients: readonly number[], x: string): string =>
  coefficients.slice(0, -1).reduceRight((sum, c) => `(${sum}*${x}+${m.f(c)})`, m.f(coefficients.at(-1)!));

/** t + t³·p(t²), relatively accurate near 0; `z` is t². */
export const odd = (m: Text, coefficients: readonly number[], t: string, z: string): string =>
  `(${polynomial(m, coefficients, z)}*${z}*${t}+${t})`;

/** A magnitude with the sign of x. */
export const withSign = (x: string, magnitude: string): string => `(${x}<0?-${magnitude}:${magnitude})`;
