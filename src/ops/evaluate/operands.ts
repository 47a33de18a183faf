/**
 * @file The operands of an eager op as tensors that can be computed with.
 */
import { describeValue, fault } from '../../errors/index.js';
import { convert } from '../../tensor/convert.js';
import { isComputed } from '../../tensor/dtype.js';
import { allocateTensor, Tensor, tensorOver } from '../../tensor/tensor.js';
import type { AnyOp } from '../op.js';
import { weakDType } from '../weak.js';
import type { ComputedTensor } from './job.js';
import { store } from './store.js';

/**
 * Numbers become scalars of the dtype that `weak.ts` gives them.
 *
 * @throws EinstreamError E_DTYPE for a dtype that only stores, E_ARGUMENT for what is no tensor or number
 */
export function tensorsOf(op: AnyOp, operands: readonly unknown[]): readonly ComputedTensor[] {
  const checked = operands.map((operand, i) => checkOperand(op, operand, i));
  const numbers = checked.filter((operand) => typeof operand === 'number');
  if (numbers.length === 0) return checked as readonly ComputedTensor[];
  const dtypes = checked.flatMap((operand) => (typeof operand === 'number' ? [] : [operand.dtype]));
  const dtype = weakDType(dtypes, numbers);
  return checked.map((operand) => {
    if (typeof operand !== 'number') return operand;
    const scalar = allocateTensor([], dtype);
    store(scalar.buffer.array, dtype, 0, operand);
    return scalar as ComputedTensor;
  });
}

function checkOperand(op: AnyOp, operand: unknown, index: number): ComputedTensor | number {
  if (typeof operand === 'number') return operand;
  if (!(operand instanceof Tensor)) {
    throw fault('E_ARGUMENT', {
      op: op.name,
      rule: `operand ${index} must be a tensor or a number`,
      actual: describeValue(operand),
      hint: 'wrap nested arrays with tensor(…)',
    });
  }
  // A view computes nothing, so any element may be seen through it.
  if (isComputed(operand.dtype) || op.view !== undefined) return operand as ComputedTensor;
  if (op.reads === 'storage')
    return tensorOver(convert(operand.data, operand.dtype, 'float64'), 'float64', operand.shape) as ComputedTensor;
  throw fault('E_DTYPE', {
    op: op.name,
    rule: `operand ${index} has a dtype that stores and does not compute`,
    expected: 'bool, int32, float32 or float64',
    actual: operand.dtype,
    hint: "cast it first: cast(x, { dtype: 'float32' })",
  });
}
