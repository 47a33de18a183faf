/**
 * @file What was applied to variables, in order: the plain record from which gradients are computed.
 *
 * It holds the values that the rules of its ops read, and no other: in the place of the rest are tensors of the same shape over one
 * element, as rules may ask for shapes.
 */
import type { AnyOp, Params } from '../ops/op.js';
import { arrayOf, type DType } from '../tensor/dtype.js';
import { Tensor } from '../tensor/tensor.js';
import { needsOf } from './needs.js';

/** The kinds by which a tape tells its ops apart. */
export type RecordKind = 'ElemUnary' | 'ElemBinary' | 'ElemTernary' | 'Reduce' | 'Einsum' | 'Movement';

/** One op as it was applied, as data. */
export interface TapeRecord {
  readonly kind: RecordKind;
  readonly op: string;
  /** Ids of the operands; 0 for one that is no variable. */
  readonly inputs: readonly number[];
  readonly output: number;
}

/** What became of a value: how it was made, and where its gradient goes. Holds no value of its own. */
export interface TapeNode {
  readonly id: number;
  readonly tapes: readonly TapeList[];
  /** How it was made; undefined for a variable that a user made. `'freed'` once the way back was taken. */
  origin: Origin | 'freed' | undefined;
  /** Of a variable that a user made: the sum of its gradients so far. */
  grad: Tensor | undefined;
}

export interface Origin {
  readonly op: AnyOp;
  readonly params: Params;
  readonly inputs: readonly (TapeNode | undefined)[];
  /** The operands, then the result. */
  readonly values: readonly Tensor[];
}

/** What a tape lists. */
export interface TapeList {
  readonly isPersistent: boolean;
  readonly records: TapeRecord[];
  readonly nodes: TapeNode[];
}

let last = 0;

export const leaf = (tapes: readonly TapeList[]): TapeNode => ({ id: ++last, tapes, origin: undefined, grad: undefined });

/** Notes that an op was applied. */
export function record(
  op: AnyOp,
  params: Params,
  inputs: readonly (TapeNode | undefined)[],
  values: readonly Tensor[],
): TapeNode {
  const needs = needsOf(op, params, values.slice(0, -1), values.at(-1)!);
  const tapes = [...new Set(inputs.flatMap((input) => input?.tapes ?? []))];
  const held = values.map((value, k) => (needs[k] ? value : shapeOnly(value)));
  const node: TapeNode = { id: ++last, tapes, origin: { op, params, inputs, values: held }, grad: undefined };
  for (const { records, nodes } of tapes) {
    records.push({
      kind: kindOf(op, inputs.length),
      op: op.name,
      inputs: inputs.map((input) => input?.id ?? 0),
      output: node.id,
    });
    nodes.push(node);
  }
  return node;
}

function kindOf(op: AnyOp, operands: number): RecordKind {
  if (op.contract !== undefined) return 'Einsum';
  if (op.fold !== undefined) return 'Reduce';
  if (op.expr === undefined && op.exprFor === undefined) return 'Movement';
  return operands === 1 ? 'ElemUnary' : operands === 2 ? 'ElemBinary' : 'ElemTernary';
}

const single = new Map<DType, Tensor['buffer']>();

/** A tensor of the same type that holds one element. */
function shapeOnly({ dtype, shape, size }: Tensor): Tensor {
  let buffer = single.get(dtype);
  if (buffer === undefined) single.set(dtype, (buffer = { array: new (arrayOf(dtype))(1), retired: false }));
  return new Tensor(dtype, shape, Object.freeze(shape.map(() => 0)), 0, size, buffer);
}
