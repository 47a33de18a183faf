/**
 * @file Vector code written step by step: a value used twice is kept in a local, constants are globals.
 */
import type { Code } from '../bytes.js';
import { f32x4, f64x2 } from '../instructions.js';
import type { Target } from '../kernel.js';
import type { Local, Scope } from '../module.js';

export interface Steps {
  readonly scope: Scope;
  readonly target: Target;
  /** Computes a vector now; the result reads it, as often as wanted. */
  readonly keep: (code: Code) => Code;
  /** As `keep`, for a vector that changes later. */
  readonly variable: (code: Code) => Local;
  /** Code that leaves nothing on the stack. */
  readonly run: (code: Code) => void;
  /** The same float32, int32 or float64 in every lane. */
  readonly f: (value: number) => Code;
  readonly i: (value: number) => Code;
  readonly d: (value: number) => Code;
  /** x·y + z of float32: rounded once where the target allows and the engine can, else twice. */
  readonly madd: (x: Code, y: Code, z: Code) => Code;
  /** c₀ + c₁x + … of float32 lanes; `x` is read once for each coefficient but the last. */
  readonly polynomial: (coefficients: readonly number[], x: Code) => Code;
  /** The same of float64 lanes. */
  readonly polynomial64: (coefficients: readonly number[], x: Code) => Code;
  /** All steps so far, then `value` on the stack. */
  readonly result: (value: Code) => Code;
}

export function steps(scope: Scope, target: Target): Steps {
  const lines: Code[] = [];
  const variable = (code: Code): Local => {
    const local = scope.local('v128');
    lines.push(local.set(code));
    return local;
  };
  const horner =
    (constant: (value: number) => Code, madd: Steps['madd']): Steps['polynomial'] =>
    (coefficients, x) =>
      coefficients.slice(0, -1).reduceRight<Code>((sum, c) => madd(sum, x, constant(c)), constant(coefficients.at(-1)!));
  const madd: Steps['madd'] = target.isRelaxed ? f32x4.relaxed_madd : (x, y, z) => f32x4.add(f32x4.mul(x, y), z);
  const madd64: Steps['madd'] = target.isRelaxed ? f64x2.relaxed_madd : (x, y, z) => f64x2.add(f64x2.mul(x, y), z);
  const f = (value: number): Code => scope.splat('f32', value);
  const d = (value: number): Code => scope.splat('f64', value);
  return {
    scope,
    target,
    variable,
    keep: (code) => variable(code).get,
    run: (code) => void lines.push(code),
    f,
    i: (value) => scope.splat('i32', value),
    d,
    madd,
    polynomial: horner(f, madd),
    polynomial64: horner(d, madd64),
    result: (value) => [lines, value],
  };
}
