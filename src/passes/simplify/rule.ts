/**
 * @file A rule of simplification: a name that says it, the ops that it looks at, and what stands for such a node.
 */
import type { NodeId, OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import type { Params } from '../../ops/op.js';
import { arrayOf, isFloating } from '../../tensor/dtype.js';
import { tensorOver, type Tensor } from '../../tensor/tensor.js';

/** An earlier value, or another op; a tensor among its operands becomes a constant. */
export type Instead =
  { readonly value: NodeId } | { readonly op: string; readonly inputs: readonly (NodeId | Tensor)[]; readonly params?: Params };

/** What a rule may know of the values that a node reads. */
export interface Values {
  /** The op that gives a value, as it is by now; undefined for inputs, constants, and what something may replace on the way. */
  opOf(id: NodeId): OpNode | undefined;
  typeOf(id: NodeId): ValueType;
  /** The number that all elements of a constant are, where it makes the operand beside it no larger. */
  numberOf(id: NodeId, beside: NodeId): number | undefined;
}

/**
 * Rules are data. A rule need not look at types: what it gives is taken only where dtype and dims are those of the node, and
 * where the op that it names exists (a page has those that it uses).
 */
export interface SimplifyRule {
  /** As it is reported: `'x · 1 = x'`. */
  readonly name: string;
  /** Names of the ops at whose nodes it looks. */
  readonly match: readonly string[];
  readonly rewrite: (node: OpNode, values: Values) => Instead | undefined;
  /** The shape does not follow from the form: all sizes must be known. */
  readonly needsSizes?: true;
}

/** The operand beside a constant of a number that passes the test, whichever comes first. */
export function beside(node: OpNode, values: Values, test: (number: number) => boolean): Instead | undefined {
  const [x, y] = node.inputs;
  return behind(x, y, values, test) ?? behind(y, x, values, test);
}

/** The first operand, where the second is a constant of a number that passes the test. */
export function behind(x: NodeId, y: NodeId, values: Values, test: (number: number) => boolean): Instead | undefined {
  const number = values.numberOf(y, x);
  return number !== undefined && test(number) ? { value: x } : undefined;
}

/** The operand of the op that gives a value, where that is one of these. */
export function under(id: NodeId, ops: readonly string[], values: Values): NodeId | undefined {
  const node = values.opOf(id);
  return node !== undefined && ops.includes(node.op) ? node.inputs[0] : undefined;
}

/** A number other than 0 as a constant of a node's dtype, if that is a floating one which holds it. */
export function numberLike(node: OpNode, values: Values, number: number): Tensor | undefined {
  const { dtype } = values.typeOf(node.id);
  if (dtype === undefined || !isFloating(dtype)) return undefined;
  const array = new (arrayOf(dtype))(1) as Float64Array;
  array[0] = number;
  return Number.isFinite(array[0]) && array[0] !== 0 ? tensorOver(array, dtype, []) : undefined;
}
