/**
 * @file Copies of values just before late readers, so that the first ones need not be held: more work, less memory.
 *
 * Copies are marked (`OpNode.isRecomputed`), so that no pass takes them for the values that they repeat. Ids go by the order of
 * execution, so the copies have ids between those of others: all ids are new. Names, inputs and outputs stay.
 */
import { chunked, findNode, isOpNode, type Graph, type Node, type NodeId, type OpNode } from '../graph/graph.js';
import { freezeGraph } from '../graph/builder.js';
import { topology } from '../graph/topology.js';

export interface Recomputing {
  /** 1 for ids that late readers get copies of. */
  readonly chosen: Uint8Array;
  /** A reader is late that comes more steps behind a value than this. Late readers within as many steps share a copy. */
  readonly window: number;
}

/**
 * The graph with copies, and the ids that they are copies of. A reader is given a copy where it is late; what the copy needs is
 * copied too, where that was chosen. Linear in nodes and copies.
 */
export function withCopies(
  graph: Graph,
  { chosen, window }: Recomputing,
): { readonly graph: Graph; readonly copied: readonly NodeId[] } {
  const { order } = topology(graph);
  const positions = new Int32Array(graph.size);
  order.forEach((id, at) => (positions[id] = at));
  const nodes: (Node | undefined)[] = [];
  const places = new Int32Array(graph.size).fill(-1);
  const copied: NodeId[] = [];
  let copies = new Map<NodeId, NodeId>();
  let part = 0;
  const add = (node: object, inputs: readonly NodeId[]): NodeId =>
    nodes.push(Object.freeze({ ...node, id: nodes.length, inputs: Object.freeze(inputs) }) as Node) - 1;
  const isLate = (id: NodeId, at: number): boolean => chosen[id] === 1 && at - positions[id] > window;
  const placeOf = (id: NodeId, at: number): NodeId | undefined => (isLate(id, at) ? copies.get(id) : places[id]);
  /** Copies what a late reader needs, and what that needs: a stack of our own, as it may be as long as the graph. */
  const copyFor = (wanted: NodeId, at: number): void => {
    const stack = [wanted];
    while (stack.length > 0) {
      const id = stack.at(-1)!;
      const node = findNode(graph, id)!;
      const missing = placeOf(id, at) !== undefined ? [] : node.inputs.filter((input) => placeOf(input, at) === undefined);
      if (missing.length > 0) {
        stack.push(...missing);
        continue;
      }
      stack.pop();
      if (placeOf(id, at) !== undefined) continue;
      copied.push(id);
      const { op, params } = node as OpNode;
      copies.set(id, add({ op, params, isRecomputed: true }, node.inputs.map((input) => placeOf(input, at)!))); // prettier-ignore
    }
  };
  order.forEach((id, at) => {
    const node = findNode(graph, id)!;
    if (Math.floor(at / window) !== part) {
      part = Math.floor(at / window);
      copies = new Map();
    }
    if (isOpNode(node)) for (const input of node.inputs) copyFor(input, at);
    const { alias } = node as OpNode;
    places[id] = add(
      alias === undefined ? node : { ...node, alias: places[alias] },
      node.inputs.map((input) => placeOf(input, at)!),
    );
  });
  dropUnread(nodes, order.filter((id) => chosen[id] === 1).map((id) => places[id]), graph.outputs.map(({ id }) => places[id])); // prettier-ignore
  const { unproduced: _, ...rest } = graph;
  const moved = (id: NodeId): NodeId => places[id];
  return {
    copied,
    graph: freezeGraph({
      ...rest,
      chunks: chunked(nodes),
      size: nodes.length,
      inputs: graph.inputs.map(moved),
      outputs: graph.outputs.map(({ name, id }) => ({ name, id: moved(id) })),
    }),
  };
}

/** Takes values out that only late readers read, and those that only these read: nobody reads the first ones any more. */
function dropUnread(nodes: (Node | undefined)[], candidates: readonly NodeId[], outputs: readonly NodeId[]): void {
  const readers = new Int32Array(nodes.length);
  for (const id of outputs) readers[id]++;
  for (const node of nodes) for (const input of node!.inputs) readers[input]++;
  for (const id of candidates.toReversed()) {
    if (readers[id] > 0) continue;
    for (const input of nodes[id]!.inputs) readers[input]--;
    nodes[id] = undefined;
  }
}
