/**
 * @file A graph with its ops in another order: ids go by it, and with them the order of execution.
 */
import { freezeGraph } from './builder.js';
import { chunked, findNode, isOpNode, nodesOf, type Graph, type Names, type Node, type NodeId } from './graph.js'; // prettier-ignore

/** @param order ids of all ops, operands first; inputs, params and constants come before them. All ids are new. */
export function inOrder<I extends Names, O extends Names>(graph: Graph<I, O>, order: readonly NodeId[]): Graph<I, O> {
  const places = new Int32Array(graph.size).fill(-1);
  const nodes: Node[] = [];
  const add = (node: Node): void => {
    places[node.id] = nodes.length;
    const alias = isOpNode(node) ? node.alias : undefined;
    const moved = { ...node, id: nodes.length, inputs: Object.freeze(node.inputs.map((id) => places[id])) };
    nodes.push(alias === undefined ? moved : { ...moved, alias: places[alias] });
  };
  for (const node of nodesOf(graph)) if (!isOpNode(node)) add(node);
  for (const id of order) add(findNode(graph, id)!);
  const { unproduced: _, ...rest } = graph;
  return freezeGraph<I, O>({
    ...rest,
    chunks: chunked(nodes),
    size: nodes.length,
    inputs: graph.inputs.map((id) => places[id]),
    outputs: graph.outputs.map(({ name, id }) => ({ name, id: places[id] })),
  });
}
