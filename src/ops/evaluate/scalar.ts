/**
 * @file What a scalar expression means: the reference that every renderer must agree with.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS, type ScalarFunctions } from '../math.js';
import type { Scalar } from '../scalar.js';
import { roundTo } from './store.js';

/**
 * A term as a function, in float64.
 *
 * @param operands the operands' elements here
 * @param folds results of the kernel's earlier folds
 * @param position row-major index within the folded axes
 * @param count number of elements folded into one
 */
export type ScalarMeaning = (operands: readonly number[], folds: readonly number[], position: number, count: number) => number;

/**
 * The meaning of a term in a kernel whose result is `dtype`.
 *
 * A term that is rounded to int32, by the kernel's result or by a `round` around it, is computed with integers modulo
 * 2³²; all else is float64 arithmetic. The result is rounded when it is stored.
 */
export function meaningOf(term: Scalar, dtype: ComputedDType): ScalarMeaning {
  return meaningWith(term, dtype === 'int32' ? INTEGER_FUNCTIONS : SCALAR_FUNCTIONS);
}

function meaningWith(term: Scalar, functions: ScalarFunctions): ScalarMeaning {
  const of = (sub: Scalar): ScalarMeaning => meaningWith(sub, functions);
  switch (term.kind) {
    case 'constant':
      return () => term.value;
    case 'operand':
      return (operands) => present(operands[term.index], 'operand', term.index);
    case 'fold':
      return (_, folds) => present(folds[term.index], 'fold', term.index);
    case 'position':
      return (_operands, _folds, position) => position;
    case 'count':
      return (_operands, _folds, _position, count) => count;
    case 'unary': {
      const [fn, x] = [functions.unary[term.fn], of(term.x)];
      return (...here) => fn(x(...here));
    }
    case 'binary': {
      const [fn, x, y] = [functions.binary[term.fn], of(term.x), of(term.y)];
      return (...here) => fn(x(...here), y(...here));
    }
    case 'select': {
      const [test, x, y] = [of(term.test), of(term.x), of(term.y)];
      return (...here) => (test(...here) !== 0 ? x(...here) : y(...here));
    }
    case 'round': {
      const x = meaningOf(term.x, term.dtype);
      return (...here) => roundTo(term.dtype, x(...here));
    }
  }
}

/** The value of a term at one element: `meaningOf`, applied once. */
export const evaluateScalar = (
  term: Scalar,
  operands: readonly number[],
  folds: readonly number[] = [],
  position = 0,
  count = 1,
  dtype: ComputedDType = 'float64',
): number => meaningOf(term, dtype)(operands, folds, position, count);

function present(value: number | undefined, what: string, index: number): number {
  if (value === undefined) throw new Error(`the expression reads ${what} ${index}, which this kernel does not have`);
  return value;
}
