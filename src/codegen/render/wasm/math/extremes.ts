/**
 * @file min and max of float32 lanes against a constant, in one or two instructions.
 *
 * WebAssembly's own min and max take about eight on x64. pmin and pmax take one, and keep a NaN or a zero of either sign
 * in their first operand: right for every constant but the zero that must win.
 */
import type { Code } from '../bytes.js';
import { f32x4, v128 } from '../instructions.js';
import type { Local, Scope } from '../module.js';

/** max(x, value) as `Math.max` has it. */
export function maxConstant(scope: Scope, x: Local, value: number, isMaybeMinusZero = true): Code {
  const constant = scope.splat('f32', value);
  if (Number.isNaN(value)) return constant;
  // Clearing what is ≤ 0 makes +0 of −0, and NaN is not ≤ 0.
  return Object.is(value, 0) && isMaybeMinusZero ? v128.andnot(x.get, f32x4.le(x.get, constant)) : f32x4.pmax(x.get, constant);
}

/** min(x, value) as `Math.min` has it. */
export function minConstant(scope: Scope, x: Local, value: number): Code {
  const constant = scope.splat('f32', value);
  if (Number.isNaN(value)) return constant;
  if (!Object.is(value, -0)) return f32x4.pmin(x.get, constant);
  return v128.bitselect(constant, x.get, f32x4.ge(x.get, constant));
}
