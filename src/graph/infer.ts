/**
 * @file Shapes and dtypes of every value, from those of the inputs, by the ops' own rules.
 */
import { fault } from '../errors/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { isComputed } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Dims } from '../ops/dims.js';
import { findOp } from '../ops/registry.js';
import { isOpNode, placeOf, type Node, type OpNode } from './graph.js';

/** What is known of a value: undefined dims are unknown rank, undefined dtype is whatever is fed. */
export interface ValueType {
  readonly dims: Dims | undefined;
  readonly dtype: ComputedDType | undefined;
}

const computedDType = (node: Node, tensor: Tensor): ComputedDType => {
  if (isComputed(tensor.dtype)) return tensor.dtype;
  throw fault('E_DTYPE', { ...placeOf(node), rule: `${tensor.dtype} is a storage type; graphs compute with bool, int32, float32 and float64`, hint: "convert it first: cast(t, { dtype: 'float32' })" });
};

/** The type of a node's value, given its inputs' types. Throws the op's own errors. */
export function inferNode(node: Node, inputs: readonly ValueType[]): ValueType {
  if (isOpNode(node)) return inferOp(node, inputs);
  if (node.op === 'input') return { dims: (node as { dims?: Dims }).dims, dtype: (node as { dtype?: ComputedDType }).dtype };
  const { value } = node as { value: Tensor };
  return { dims: value.shape, dtype: computedDType(node, value) };
}

function inferOp(node: OpNode, inputs: readonly ValueType[]): ValueType {
  const op = findOp(node.op);
  if (op === undefined) throw fault('E_OP', { ...placeOf(node), rule: 'the op must be registered', actual: node.op, hint: 'see `ops` for all names' });
  if (inputs.length < op.minInputs || inputs.length > op.maxInputs) {
    throw fault('E_OP', { ...placeOf(node), rule: 'the number of operands must fit', expected: op.minInputs === op.maxInputs ? String(op.minInputs) : `${op.minInputs} to ${op.maxInputs}`, actual: String(inputs.length) });
  }
  const dims = op.shape(inputs.map((input) => input.dims), node.params, placeOf(node));
  const dtypes = inputs.map((input) => input.dtype);
  return { dims, dtype: dtypes.every((dtype): dtype is ComputedDType => dtype !== undefined) ? op.dtype(dtypes, node.params) : undefined };
}
