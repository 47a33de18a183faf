/**
 * @file The same graph with its nodes in another order.
 */
import { chunked, nodesOf, type Graph, type NodeId } from '../../src/graph/graph.js';
import { freezeGraph } from '../../src/graph/builder.js';

/** Gives every node a new id by drawing from `keys`, whether or not nodes come after their operands then. */
export function reordered(graph: Graph, keys: readonly number[]): Graph {
  const given = [...nodesOf(graph)];
  const rank = (at: number): number => keys[at % keys.length] + at * 1e-6;
  const order = given.map((_, at) => at).sort((a, b) => rank(a) - rank(b));
  const idOf = new Map<NodeId, NodeId>(order.map((at, id) => [given[at].id, id]));
  const moved = (id: NodeId): NodeId => idOf.get(id)!;
  const nodes = order.map((at) => ({ ...given[at], id: moved(given[at].id), inputs: given[at].inputs.map(moved) }));
  return freezeGraph({
    chunks: chunked(nodes),
    size: nodes.length,
    inputs: graph.inputs.map(moved),
    outputs: graph.outputs.map(({ name, id }) => ({ name, id: moved(id) })),
    faults: [],
  });
}
