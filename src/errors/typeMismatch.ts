/**
 * @file E002: an element type that does not fit, with what converting it would cost.
 */
import type { Diagnostic } from './diagnostic.js';
import { field } from './escape.js';
import { mismatch, nodeDiagnosis, type MismatchDetails, type NodeFault } from './mismatch.js';

/** Bits of an integer that the type holds exactly. */
const PRECISION: ReadonlyMap<string, number> = new Map([
  ['bool', 1],
  ['int8', 7],
  ['int32', 31],
  ['float32', 24],
  ['float64', 53],
  ['int64', 63],
]);

function costOfConversion(expected: string, actual: string): readonly string[] {
  const to = PRECISION.get(expected);
  const from = PRECISION.get(actual);
  if (to === undefined || from === undefined) return [];
  if (expected === 'bool') return ['Compare with 0 explicitly: a conversion takes every other value for true'];
  if (actual.startsWith('float') && expected.startsWith('int'))
    return ['Round first (round, floor or trunc): a conversion drops the fraction'];
  if (to < from) return [`Mind that ${expected} holds integers exactly only up to 2^${to}; ${actual} holds them up to 2^${from}`];
  return [];
}

/**
 * Tells that an operand has another element type than it must. Given one object instead, it tells that fault.
 *
 * ```ts
 * typeMismatch('float32', 'int32', 'matmul').context[0] // => 'Expected type: float32, but got: int32'
 * ```
 */
export function typeMismatch(expected: string, actual: string, op: string, details?: MismatchDetails): Diagnostic;
export function typeMismatch(fault: NodeFault): Diagnostic;
export function typeMismatch(first: string | NodeFault, actual = '', op = '', details: MismatchDetails = {}): Diagnostic {
  if (typeof first !== 'string') return nodeDiagnosis('E_DTYPE', first);
  return mismatch(
    `Type mismatch in ${field(op)} operation`,
    'E002',
    [`Expected type: ${field(first)}, but got: ${field(actual)}`],
    [`Convert the operand to ${field(first)}`, ...costOfConversion(first, actual)],
    { ...details, op, expected: first, actual },
  );
}
