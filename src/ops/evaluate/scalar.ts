/**
 * @file What a scalar expression means: the reference that every renderer must agree with.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS, type ScalarFunctions } from '../math.js';
import type { Scalar } from '../scalar.js';
import { roundTo } from './store.js';

/**
 * The value of a term in float64.
 *
 * A term that is rounded to int32, by the kernel's result or by a `round` around it, is computed with integers modulo
 * 2³²; all else is float64 arithmetic. The result is rounded when it is stored.
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
  const value = (t: Scalar, { unary, binary }: ScalarFunctions): number => {
    const of = (sub: Scalar): number => value(sub, { unary, binary });
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
        return unary[t.fn](of(t.x));
      case 'binary':
        return binary[t.fn](of(t.x), of(t.y));
      case 'select':
        return of(t.test) !== 0 ? of(t.x) : of(t.y);
      case 'round':
        return roundTo(t.dtype, value(t.x, functionsFor(t.dtype)));
    }
  };
  return value(term, functionsFor(dtype));
}

const functionsFor = (dtype: ComputedDType): ScalarFunctions => (dtype === 'int32' ? INTEGER_FUNCTIONS : SCALAR_FUNCTIONS);

function present(value: number | undefined, what: string, index: number): number {
  if (value === undefined) throw new Error(`the expression reads ${what} ${index}, which this kernel does not have`);
  return value;
}
