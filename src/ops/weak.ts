/**
 * @file Plain numbers among tensors: which element type each takes.
 *
 * A JavaScript number is weak. One that int32 can hold counts as int32, any other as float32; so it never widens a
 * float tensor, an integer with bool gives int32, and 0.5 with int32 gives float32. Between float64 tensors it keeps
 * all its digits. Where all operands are numbers, all are float32.
 */
import { promote, type ComputedDType } from '../tensor/dtype.js';
import type { AnyOp, Params } from './op.js';

/** True where int32 holds the number exactly; -0 is a float. */
export const fitsInt32 = (value: number): boolean => Object.is(value | 0, value);

/** The element type of every operand: tensors keep theirs, numbers take the one of the operation. */
export function operandDTypes(op: Pick<AnyOp, 'dtype'>, operands: readonly (ComputedDType | number)[], params: Params): readonly ComputedDType[] {
  if (operands.every((operand) => typeof operand === 'number')) return operands.map(() => 'float32');
  const least = operands.map((operand) => (typeof operand !== 'number' ? operand : fitsInt32(operand) ? 'int32' : 'float32'));
  if (!operands.some((operand) => typeof operand === 'number')) return least;
  const common = promote(...least);
  const result = op.dtype(least, params);
  // `where(mask, x, 0)` computes in x's dtype, whatever the mask's; a comparison computes in that of both sides.
  const weak = result === 'float32' || result === 'float64' ? result : common;
  return operands.map((operand, i) => (typeof operand === 'number' ? weak : least[i]!));
}
