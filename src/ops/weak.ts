/**
 * @file Plain numbers among tensors: the element type that they take.
 */
import { isComputed, promote, type ComputedDType, type DType } from '../tensor/dtype.js';

/** True where int32 holds the number exactly; −0 is a float. */
export const fitsInt32 = (value: number): boolean => Object.is(value | 0, value);

/**
 * The dtype of the numbers that stand among operands of known dtypes.
 *
 * A number is weak. One that int32 can hold counts as int32, any other as float32, and all take the highest dtype of
 * the whole call: a number never widens float32, beside float64 it keeps all its digits, 2 with bool is int32, 0.5
 * with int32 is float32 (and so makes the result float32).
 *
 * @param dtypes of the other operands; undefined is not known, and counts as float32
 */
export function weakDType(dtypes: readonly (DType | undefined)[], numbers: readonly number[]): ComputedDType {
  if (dtypes.length === 0) return 'float32';
  const known = dtypes.map((dtype) => (dtype !== undefined && isComputed(dtype) ? dtype : 'float32'));
  return promote([...known, ...numbers.map((value): ComputedDType => (fitsInt32(value) ? 'int32' : 'float32'))]);
}
