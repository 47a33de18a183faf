/**
 * @file Shapes and dtypes of every value, from those of the inputs, by the ops' own rules.
 */
import { excerpt, fault, type EinstreamError } from '../errors/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { isComputed } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Dims } from '../ops/dims.js';
import type { AnyOp } from '../ops/op.js';
import { knownOp } from '../ops/known.js';
import { isOpNode, nameOf, placeOf, type ConstantNode, type Node, type NodeId, type OpNode } from './graph.js';

/** What is known of a value: undefined dims are unknown rank, undefined dtype is whatever is fed. */
export interface ValueType {
  readonly dims: Dims | undefined;
  readonly dtype: ComputedDType | undefined;
}

const computedDType = (node: Node, tensor: Tensor): ComputedDType => {
  if (isComputed(tensor.dtype)) return tensor.dtype;
  throw fault('E_DTYPE', {
    ...placeOf(node),
    rule: `${tensor.dtype} is a storage type; graphs compute with bool, int32, float32 and float64`,
    hint: "convert it first: cast(t, { dtype: 'float32' })",
  });
};

type Find = (id: NodeId) => Node | undefined;

/**
 * The type of a node's value, given its inputs' types. Throws the op's own errors.
 *
 * @param find the operands' nodes, whose names an error shows
 */
export function inferNode(node: Node, inputs: readonly ValueType[], find?: Find): ValueType {
  if (isOpNode(node)) return inferOp(node, inputs, find);
  if (node.op === 'input') return { dims: node.dims, dtype: node.dtype };
  const { value } = node as ConstantNode;
  return { dims: value.shape, dtype: computedDType(node, value) };
}

function inferOp(node: OpNode, inputs: readonly ValueType[], find: Find | undefined): ValueType {
  const op = knownOp(node.op);
  if (op === undefined) throw unknownOp(node);
  if (inputs.length < op.minInputs || inputs.length > op.maxInputs) throw wrongArity(node, op);
  const dtypes = inputs.map((input) => input.dtype);
  const dtype = dtypes.every((each): each is ComputedDType => each !== undefined) ? op.dtype(dtypes, node.params) : undefined;
  const dims = shapeOf(op, node, inputs, find);
  const first = inputs[0];
  // Most values are of their first operand's type: in a graph of a million nodes, one record serves them all.
  return first !== undefined && dtype === first.dtype && sameDims(dims, first.dims) ? first : { dims, dtype };
}

function shapeOf(op: AnyOp, node: OpNode, inputs: readonly ValueType[], find: Find | undefined): Dims | undefined {
  const dims = inputs.map((input) => input.dims);
  try {
    return op.shape(dims, node.params, { op: node.op });
  } catch {
    // Naming the place costs more than inferring, so it is named only when there is something to say.
    return op.shape(dims, node.params, {
      ...placeOf(node),
      ...(find === undefined ? {} : { inputs: node.inputs.map((id) => operandName(find(id))) }),
    });
  }
}

const operandName = (node: Node | undefined): string => (node === undefined ? '?' : excerpt(nameOf(node), 40));

const sameDims = (a: Dims | undefined, b: Dims | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((dim, axis) => dim === b[axis]));

/** The fault of a node whose op is not registered; made, not thrown. */
export const unknownOp = (node: OpNode): EinstreamError =>
  fault('E_OP', {
    ...placeOf(node),
    rule: 'the op must be registered',
    actual: `"${excerpt(node.op, 40)}"`,
    hint: 'see `ops` for all names',
  });

/** The fault of a node with too few or too many operands; made, not thrown. */
export const wrongArity = (node: OpNode, op: AnyOp): EinstreamError =>
  fault('E_OP', {
    ...placeOf(node),
    rule: 'the number of operands must fit',
    expected:
      op.minInputs === op.maxInputs
        ? String(op.minInputs)
        : op.maxInputs === Infinity
          ? `${op.minInputs} or more`
          : `${op.minInputs} to ${op.maxInputs}`,
    actual: String(node.inputs.length),
  });
