/**
 * @file What a scalar expression means: the reference that every renderer must agree with.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from '../math.js';
import type { Scalar } from '../scalar.js';
import { roundTo } from './store.js';

/**
 * The value of a term in float64.
 *
 * In a kernel whose result is int32, add, sub, mul, pow, neg and abs of integers are exact modulo 2³²; all else is
 * float64 arithmetic, and the result is rounded when it is stored.
 *
 * @param operands the operands' elements here
 * @param folds results of the kernel's earlier folds
 * @param position row-major index within the folded axes
 * @param count number of elements folded into one
 * @param dtype of the kernel's result
 */
export function evaluateScalar(
  term: Scalar,
  operands: readonly number[],
  folds: readonly number[] = [],
  position = 0,
  count = 1,
  dtype: ComputedDType = 'float64',
): number {
  const unary = dtype === 'int32' ? INTEGER_FUNCTIONS.unary : SCALAR_FUNCTIONS.unary;
  const binary = dtype === 'int32' ? INTEGER_FUNCTIONS.binary : SCALAR_FUNCTIONS.binary;
  const value = (t: Scalar): number => {
    switch (t.kind) {
      case 'constant':
        return t.value;
      case 'operand':
        return present(operands[t.index], 'operand', t.index);
      case 'fold':
        return present(folds[t.index], 'fold', t.index);
      case 'position':
        return position;
      case 'count':
        return count;
      case 'unary':
        return unary[t.fn](value(t.x));
      case 'binary':
        return binary[t.fn](value(t.x), value(t.y));
      case 'select':
        return value(t.test) !== 0 ? value(t.x) : value(t.y);
      case 'round':
        return roundTo(t.dtype, value(t.x));
    }
  };
  return value(term);
}

function present(value: number | undefined, what: string, index: number): number {
  if (value === undefined) throw new Error(`the expression reads ${what} ${index}, which this kernel does not have`);
  return value;
}
