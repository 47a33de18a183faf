/**
 * @file Every scalar function for gpu.js, in forms that are right in all of its modes.
 */
import type { BinaryFunction, UnaryFunction } from '../../../../ops/scalar.js';
import { erf, erfc } from './errorFunction.js';
import { acosh, asinh, atanh, cbrt, cosh, exp, exp2, expm1, log, log10, log1p, log2, sinh, tanh } from './exponential.js';
import {
  and,
  compared,
  extreme,
  isfinite,
  isinf,
  isnan,
  ne,
  not,
  or,
  round,
  sign,
  xor,
  type Binary,
  type Unary,
} from './plain.js';
import { fmod, hypot, mod, pow } from './power.js';
import { acos, asin, atan, atan2, cos, sin, tan } from './trigonometric.js';

const native =
  (name: 'abs' | 'floor' | 'ceil' | 'trunc' | 'sqrt'): Unary =>
  (_m, x) =>
    `Math.${name}(${x})`;

const infix =
  (operator: '+' | '-' | '*' | '/'): Binary =>
  (_m, x, y) =>
    `(${x}${operator}${y})`;

export const UNARY: Readonly<Record<UnaryFunction, Unary>> = {
  neg: (_m, x) => `(-${x})`,
  abs: native('abs'),
  sign,
  floor: native('floor'),
  ceil: native('ceil'),
  round,
  trunc: native('trunc'),
  sqrt: native('sqrt'),
  cbrt,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  isnan,
  isfinite,
  isinf,
  not,
};

export const BINARY: Readonly<Record<BinaryFunction, Binary>> = {
  add: infix('+'),
  sub: infix('-'),
  mul: infix('*'),
  div: infix('/'),
  pow,
  mod,
  fmod,
  min: extreme('min'),
  max: extreme('max'),
  atan2,
  hypot,
  eq: compared('==='),
  ne,
  lt: compared('<'),
  le: compared('<='),
  gt: compared('>'),
  ge: compared('>='),
  and,
  or,
  xor,
};
