/**
 * @file What rules may know of values, while the graph is being rewritten.
 */
import { findNode, isOpNode, type ConstantNode, type Graph, type Node, type NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { knownOp } from '../../ops/known.js';
import { isGone } from '../../tensor/tensor.js';
import type { Values } from './rule.js';

/**
 * Values of a graph in which `rewritten` nodes are something else by now, and others stand for those that went.
 *
 * @param places for each id what is read in its place
 * @param hidden ids of ops that are not to be looked into
 */
export function valuesIn(
  graph: Graph,
  types: readonly (ValueType | undefined)[],
  rewritten: ReadonlyMap<NodeId, Node>,
  places: Int32Array,
  hidden: ReadonlySet<NodeId>,
): Values {
  const nodeOf = (id: NodeId): Node | undefined => rewritten.get(id) ?? findNode(graph, id);
  const typeOf = (id: NodeId): ValueType => types[id]!;
  const numbers = new Map<NodeId, number | undefined>();
  const number = (id: NodeId): number | undefined => {
    if (!numbers.has(id)) numbers.set(id, onlyNumber(nodeOf(id)));
    return numbers.get(id);
  };
  return {
    typeOf,
    opOf(id) {
      const node = nodeOf(id);
      if (node === undefined || !isOpNode(node) || hidden.has(id)) return undefined;
      const op = knownOp(node.op)?.name ?? node.op;
      const isAsGiven = op === node.op && node.inputs.every((input) => places[input] === input);
      return isAsGiven ? node : { ...node, op, inputs: node.inputs.map((input) => places[input]) };
    },
    numberOf: (id, beside) => (isNoLarger(typeOf(id), typeOf(beside)) ? number(id) : undefined),
  };
}

/** Broadcast against the other, it leaves the other's shape as it is. */
function isNoLarger({ dims }: ValueType, { dims: beside }: ValueType): boolean {
  if (dims === undefined) return false;
  if (dims.length === 0) return true;
  if (beside === undefined || dims.length > beside.length) return false;
  return dims.every((dim, at) => dim === 1 || (dim !== null && dim === beside[beside.length - dims.length + at]));
}

/** Elements of a constant that are looked at. */
const MOST = 4096;

/** The number that all elements of a constant are: 0 is not −0. */
function onlyNumber(node: Node | undefined): number | undefined {
  if (node?.op !== 'constant') return undefined;
  const { value } = node as ConstantNode;
  if (isGone(value) || value.size === 0 || value.size > MOST) return undefined;
  const data = value.data as ArrayLike<number>;
  for (let i = 1; i < data.length; i++) if (!Object.is(data[i], data[0])) return undefined;
  return data[0];
}
