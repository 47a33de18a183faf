/**
 * @file A graph in which inputs are constants, as far as its passes make something of it.
 *
 * The inputs stay, so that feeds are read and checked as before: what read them reads the constants.
 */
import type { Draft } from 'immer';
import { isOpNode, nodesOf, type ConstantNode, type Graph, type Node, type NodeId } from '../../graph/graph.js';
import { appendNodes, replaceNodes } from '../../passes/edit.js';
import type { Prepared } from '../prepare.js';
import type { Steady } from './steady.js';

/** A graph with inputs folded in. */
export interface FoldedGraph {
  readonly prepared: Prepared;
  /** The inputs that it was worth it for. */
  readonly inputs: readonly Steady[];
}

/**
 * Undefined where constants would only be read as inputs are now.
 *
 * @param plain the same graph with none of them folded in
 * @param prepare at the level of `plain`
 */
export function foldInputs(
  graph: Graph,
  plain: Graph,
  steady: readonly Steady[],
  prepare: (graph: Graph) => Prepared,
): FoldedGraph | undefined {
  const before = readers(plain);
  for (let inputs = steady; inputs.length > 0;) {
    const prepared = prepare(withConstants(graph, inputs));
    const after = readers(prepared.graph);
    const folded = inputs.filter(({ at }, k) => (before[graph.inputs[at]] ?? 0) > (after[graph.size + k] ?? 0));
    if (folded.length === inputs.length) return { prepared, inputs };
    // What gains nothing is not worth a guard.
    inputs = folded;
  }
  return undefined;
}

/** The ids of the constants go on where those of the graph end, in order. */
function withConstants(graph: Graph, inputs: readonly Steady[]): Graph {
  const instead = new Map<NodeId, NodeId>(inputs.map(({ at }, k) => [graph.inputs[at], graph.size + k]));
  const changes = new Map<NodeId, Node>();
  for (const node of nodesOf(graph))
    if (isOpNode(node) && node.inputs.some((id) => instead.has(id)))
      changes.set(node.id, { ...node, inputs: node.inputs.map((id) => instead.get(id) ?? id) });
  const bound = { ...graph, chunks: [...graph.chunks] };
  replaceNodes(bound as Draft<Graph>, graph, changes);
  appendNodes(
    bound as Draft<Graph>,
    inputs.map(({ value }, k): ConstantNode => ({ id: graph.size + k, op: 'constant', inputs: [], value })),
  );
  return Object.freeze(bound);
}

/** How often each value is an operand. */
function readers(graph: Graph): Uint32Array {
  const counts = new Uint32Array(graph.size);
  for (const node of nodesOf(graph)) if (isOpNode(node)) for (const id of node.inputs) counts[id]++;
  return counts;
}
