/**
 * @file Transposes that nobody reads any more: gone at once, so that what they show has the readers that it seems to have.
 */
import { findNode, nodesOf, type Graph, type Node, type NodeId } from '../../graph/graph.js';
import { knownOp } from '../../ops/known.js';

/** Takes those out of `changes`. @param candidates readers first */
export function dropUnread(
  graph: Graph,
  changes: Map<NodeId, Node | undefined>,
  added: readonly Node[],
  candidates: readonly NodeId[],
  visible: ReadonlySet<NodeId>,
): void {
  const find = (id: NodeId): Node | undefined => (changes.has(id) ? changes.get(id) : findNode(graph, id));
  const readers = new Int32Array(graph.size + added.length);
  const count = (node: Node | undefined): void => node?.inputs.forEach((id) => readers[id]++);
  for (const { id } of nodesOf(graph)) count(find(id));
  for (const node of added) count(node);
  for (const id of candidates) {
    const node = find(id);
    if (node === undefined || readers[id] > 0 || visible.has(id) || knownOp(node.op)?.name !== 'transpose') continue;
    changes.set(id, undefined);
    for (const input of node.inputs) readers[input]--;
  }
}
