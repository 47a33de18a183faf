/**
 * @file Every binary scalar function on four float32 lanes.
 */
import type { BinaryFunction } from '../../../../ops/scalar.js';
import type { Code } from '../bytes.js';
import { f32x4, v128 } from '../instructions.js';
import type { Target } from '../kernel.js';
import type { Local, Scope } from '../module.js';
import { atan2 } from './inverse-trigonometric.js';
import { compared, logical } from './plain.js';
import { hypot, pow } from './power.js';
import { fmod, mod } from './remainder.js';
import { steps, type Steps } from './steps.js';

/** Code that leaves the function of two vectors on the stack. */
export type BinaryVector = (scope: Scope, x: Local, y: Local, target: Target) => Code;

const native =
  (operation: (x: Code, y: Code) => Code) =>
  (_m: Steps, x: Code, y: Code): Code =>
    operation(x, y);

const FUNCTIONS: Record<BinaryFunction, (m: Steps, x: Code, y: Code) => Code> = {
  add: native(f32x4.add),
  sub: native(f32x4.sub),
  mul: native(f32x4.mul),
  div: native(f32x4.div),
  pow,
  mod,
  fmod,
  // NaN wins and −0 < +0, as in JavaScript; `extremes.ts` has shorter forms against a constant.
  min: native(f32x4.min),
  max: native(f32x4.max),
  atan2,
  hypot,
  eq: compared(f32x4.eq),
  ne: compared(f32x4.ne),
  lt: compared(f32x4.lt),
  le: compared(f32x4.le),
  gt: compared(f32x4.gt),
  ge: compared(f32x4.ge),
  and: logical(v128.and),
  or: logical(v128.or),
  xor: logical(v128.xor),
};

/** Truth values are 1.0 and 0.0. Accuracy is stated with each function. */
export const binaryF32 = Object.fromEntries(
  Object.entries(FUNCTIONS).map(([fn, build]): [string, BinaryVector] => [
    fn,
    (scope, x, y, target) => {
      const m = steps(scope, target);
      return m.result(build(m, x.get, y.get));
    },
  ]),
) as Record<BinaryFunction, BinaryVector>;
