/**
 * @file What each scalar function computes, in float64: read by the evaluator and by the JavaScript renderer.
 *
 * IEEE 754 / C99 where they define a value; NumPy where they do not (signs of zeros, NaN in logic).
 */
import { erf, erfc } from './math/erf.js';
import { integerPow, pow } from './math/power.js';
import { floorMod } from './math/remainder.js';
import { roundHalfEven } from './math/rounding.js';
import type { BinaryFunction, UnaryFunction } from './scalar.js';

export interface ScalarFunctions {
  readonly unary: Readonly<Record<UnaryFunction, (x: number) => number>>;
  readonly binary: Readonly<Record<BinaryFunction, (x: number, y: number) => number>>;
}

const bit = (truth: boolean): number => (truth ? 1 : 0);

/** NaN is true: it is not zero. `x !== 0` says so, JavaScript's own truth does not. */
export const SCALAR_FUNCTIONS: ScalarFunctions = {
  unary: {
    neg: (x) => -x,
    abs: Math.abs,
    sign: Math.sign,
    floor: Math.floor,
    ceil: Math.ceil,
    round: roundHalfEven,
    trunc: Math.trunc,
    sqrt: Math.sqrt,
    cbrt: Math.cbrt,
    exp: Math.exp,
    exp2: (x) => 2 ** x,
    expm1: Math.expm1,
    log: Math.log,
    log2: Math.log2,
    log10: Math.log10,
    log1p: Math.log1p,
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    asin: Math.asin,
    acos: Math.acos,
    atan: Math.atan,
    sinh: Math.sinh,
    cosh: Math.cosh,
    tanh: Math.tanh,
    asinh: Math.asinh,
    acosh: Math.acosh,
    atanh: Math.atanh,
    erf,
    erfc,
    isnan: (x) => bit(Number.isNaN(x)),
    isfinite: (x) => bit(Number.isFinite(x)),
    isinf: (x) => bit(Math.abs(x) === Infinity),
    not: (x) => bit(x === 0),
  },
  binary: {
    add: (x, y) => x + y,
    sub: (x, y) => x - y,
    mul: (x, y) => x * y,
    div: (x, y) => x / y,
    pow,
    mod: floorMod,
    fmod: (x, y) => x % y,
    min: (x, y) => Math.min(x, y),
    max: (x, y) => Math.max(x, y),
    atan2: Math.atan2,
    hypot: (x, y) => Math.hypot(x, y),
    eq: (x, y) => bit(x === y),
    ne: (x, y) => bit(x !== y),
    lt: (x, y) => bit(x < y),
    le: (x, y) => bit(x <= y),
    gt: (x, y) => bit(x > y),
    ge: (x, y) => bit(x >= y),
    and: (x, y) => bit(x !== 0 && y !== 0),
    or: (x, y) => bit(x !== 0 || y !== 0),
    xor: (x, y) => bit((x !== 0) !== (y !== 0)),
  },
};

/**
 * The functions of a kernel whose result is int32. Sums and differences of int32 are exact in float64 and wrap when
 * stored; a product may need 62 bits, so it wraps at once.
 */
export const INTEGER_FUNCTIONS: ScalarFunctions = {
  unary: SCALAR_FUNCTIONS.unary,
  binary: {
    ...SCALAR_FUNCTIONS.binary,
    mul: (x, y) => (Number.isInteger(x) && Number.isInteger(y) ? Math.imul(x, y) : x * y),
    pow: integerPow,
  },
};
