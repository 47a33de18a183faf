/**
 * @file The operands of an eager op as tensors that can be computed with.
 */
import { fault } from '../../errors/index.js';
import { isComputed } from '../../tensor/dtype.js';
import { allocateTensor, Tensor } from '../../tensor/tensor.js';
import type { AnyOp, Params } from '../op.js';
import { operandDTypes } from '../weak.js';
import type { ComputedTensor } from './job.js';
import { store } from './store.js';

/**
 * Numbers become scalars of the dtype that `weak.ts` gives them.
 *
 * @throws EinstreamError E_DTYPE for a dtype that only stores, E_ARGUMENT for what is no tensor or number
 */
export function tensorsOf(op: AnyOp, operands: readonly unknown[], params: Params): readonly ComputedTensor[] {
  const checked = operands.map((operand, i) => checkOperand(op, operand, i));
  const dtypes = operandDTypes(op, checked.map((operand) => (typeof operand === 'number' ? operand : operand.dtype)), params);
  return checked.map((operand, i) => {
    if (typeof operand !== 'number') return operand;
    const scalar = allocateTensor([], dtypes[i]!);
    store(scalar.buffer.array, dtypes[i]!, 0, operand);
    return scalar as ComputedTensor;
  });
}

function checkOperand(op: AnyOp, operand: unknown, index: number): ComputedTensor | number {
  if (typeof operand === 'number') return operand;
  if (!(operand instanceof Tensor)) {
    throw fault('E_ARGUMENT', { op: op.name, rule: `operand ${index} must be a tensor or a number`, actual: typeof operand, hint: 'wrap nested arrays with tensor(…)' });
  }
  if (!isComputed(operand.dtype)) {
    throw fault('E_DTYPE', {
      op: op.name,
      rule: `operand ${index} has a dtype that stores and does not compute`,
      expected: 'bool, int32, float32 or float64',
      actual: operand.dtype,
      hint: "cast it first: cast(x, { dtype: 'float32' })",
    });
  }
  return operand as ComputedTensor;
}
