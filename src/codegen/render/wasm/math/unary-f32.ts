/**
 * @file Every unary scalar function on four float32 lanes.
 */
import type { UnaryFunction } from '../../../../ops/scalar.js';
import type { Code } from '../bytes.js';
import { f32x4, v128 } from '../instructions.js';
import type { Target } from '../kernel.js';
import type { Local, Scope } from '../module.js';
import { erf, erfc } from './error-function.js';
import { decay, exp, exp2, expm1 } from './exponential.js';
import { cosh, sinh, tanh } from './hyperbolic.js';
import { acosh, asinh, atanh } from './inverse-hyperbolic.js';
import { acos, asin, atan } from './inverse-trigonometric.js';
import { log, log10, log1p, log2 } from './logarithm.js';
import { isfinite, isinf, isnan, not, sign } from './plain.js';
import { cbrt } from './power.js';
import { steps, type Steps } from './steps.js';
import { cos, sin, tan } from './trigonometric.js';

/** Code that leaves the function of one vector on the stack. */
export type UnaryVector = (scope: Scope, x: Local, target: Target) => Code;

const FUNCTIONS: Record<UnaryFunction, (m: Steps, x: Code) => Code> = {
  // V8 fetches the masks of its own neg and abs from memory, each time.
  neg: (m, x) => v128.xor(x, m.f(-0)),
  abs: (m, x) => v128.andnot(x, m.f(-0)),
  sign,
  floor: (_m, x) => f32x4.floor(x),
  ceil: (_m, x) => f32x4.ceil(x),
  round: (_m, x) => f32x4.nearest(x),
  trunc: (_m, x) => f32x4.trunc(x),
  sqrt: (_m, x) => f32x4.sqrt(x),
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

const vector =
  (build: (m: Steps, x: Code) => Code): UnaryVector =>
  (scope, x, target) => {
    const m = steps(scope, target);
    return m.result(build(m, x.get));
  };

/** Truth values are 1.0 and 0.0. Accuracy is stated with each function. */
export const unaryF32 = Object.fromEntries(
  Object.entries(FUNCTIONS).map(([fn, build]): [string, UnaryVector] => [fn, vector(build)]),
) as Record<UnaryFunction, UnaryVector>;

/** exp where its argument is at most 0 and its result counts beside a 1. */
export const decayF32 = vector(decay);
