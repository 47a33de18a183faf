/**
 * @file Which scalar functions each kind of lanes has as code; those that float64 lacks are imported from JavaScript.
 */
import type { Domain, Instruction } from '../../linear.js';
import type { BinaryFunction, UnaryFunction } from '../../../ops/scalar.js';
import type { Code } from './bytes.js';
import { importOf } from './imports.js';
import type { Target } from './kernel.js';
import { isTruth } from '../../linear.js';
import type { LaneKind } from './lanes.js';
import type { ImportedFunction, Local, Scope } from './module.js';
import { binaryF32 } from './math/binary-f32.js';
import { unaryF32 } from './math/unary-f32.js';
import { NATIVE_BINARY, NATIVE_UNARY } from './natives.js';

type UnaryCode = (scope: Scope, x: Local, target: Target) => Code;
type BinaryCode = (scope: Scope, x: Local, y: Local, target: Target) => Code;

export const unaryOf = (kind: LaneKind, fn: UnaryFunction): UnaryCode | undefined =>
  kind === 'f32' ? unaryF32[fn] : NATIVE_UNARY[kind][fn];

/** In float64 lanes a product of int32 wraps at once, which takes a function of its own. */
export function binaryOf(kind: LaneKind, fn: BinaryFunction, domain: Domain): BinaryCode | undefined {
  if (kind === 'f32') return binaryF32[fn];
  return kind === 'f64' && domain === 'integer' && (fn === 'mul' || fn === 'pow') ? undefined : NATIVE_BINARY[kind][fn];
}

/** True where the lane kind computes this instruction without an import. */
export function isNative(kind: LaneKind, i: Instruction): boolean {
  if (i.kind === 'unary') return isTruth(i) || unaryOf(kind, i.fn) !== undefined;
  if (i.kind === 'binary') return isTruth(i) || binaryOf(kind, i.fn, i.domain) !== undefined;
  return true;
}

/** What a module must import for these expressions on float64 lanes: each function once. */
export function importsOf(kind: LaneKind, list: readonly Instruction[]): readonly ImportedFunction[] {
  const found = new Map<string, ImportedFunction>();
  for (const i of list) {
    if ((i.kind !== 'unary' && i.kind !== 'binary') || isNative(kind, i)) continue;
    const made = importOf(i.kind === 'binary' && i.domain === 'integer' ? 'integer' : i.kind, i.fn);
    found.set(made.name, made);
  }
  return [...found.values()];
}
