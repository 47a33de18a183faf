/**
 * @file The walk back over a graph, wherever the values that its rules read come from.
 */
import { findNode, nameOf, type Graph, type NodeId } from '../graph/graph.js';
import { backward, type Applied } from '../ops/backward.js';
import { add } from '../ops/binary/index.js';
import type { Operand } from '../ops/interpreter.js';
import { knownOp } from '../ops/known.js';
import { gradientOps } from './gradient-ops.js';
import type { Reach } from './reach.js';

/** What each element of a target weighs. */
export interface Weighed {
  readonly id: NodeId;
  readonly weight: Operand;
}

/**
 * Gradients by id: of each of `wrt` that a target depends on.
 *
 * @param valueOf the value of a node of the graph, for the rules that read it
 */
export function differentiate(
  graph: Graph,
  { dependent, backwards }: Reach,
  of: readonly Weighed[],
  wrt: readonly { readonly id: NodeId }[],
  valueOf: (id: NodeId) => Operand,
  missing: 'throw' | 'skip' = 'throw',
): ReadonlyMap<NodeId, Operand> {
  const variables = new Set(wrt.map(({ id }) => id));
  const gradients = new Map<NodeId, Operand>();
  for (const { id, weight } of of) {
    const before = gradients.get(id);
    gradients.set(id, before === undefined ? weight : add(before, weight));
  }
  const way = {
    g: gradientOps,
    valuesOf: ({ inputs, id }: Applied) => [...inputs, id].map(valueOf),
    isWanted: (id: NodeId) => dependent[id] === 1,
    missing,
    nameOf: (id: NodeId) => nameOf(findNode(graph, id)!),
  };
  backward(eachApplied(backwards), gradients, way, (id) => variables.has(id));
  return gradients;
}

/** One at a time: a list of a million would be garbage at once. */
function* eachApplied(backwards: Reach['backwards']): Iterable<Applied> {
  for (const { id, op, params, inputs } of backwards) yield { id, op: knownOp(op)!, params, inputs };
}
