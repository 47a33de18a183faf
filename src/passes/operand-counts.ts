/**
 * @file How many values from outside a group of fused nodes would read.
 */
import { findNode, isOpNode, type Graph, type NodeId } from '../graph/graph.js';

/**
 * Tells whether a node may join the group of `root`: asked in the order in which nodes join, as a yes adds it. A group grows from
 * its last node, so an operand that joins later gives up its place for its own operands.
 */
export function operandCounts(graph: Graph, most = Infinity): (id: NodeId, root: NodeId) => boolean {
  if (most === Infinity) return () => true;
  const operands = new Map<NodeId, Set<NodeId>>();
  const inputsOf = (id: NodeId): readonly NodeId[] => {
    const node = findNode(graph, id)!;
    return isOpNode(node) ? node.inputs : [];
  };
  return (id, root) => {
    const next = new Set(operands.get(root) ?? inputsOf(root));
    next.delete(id);
    for (const input of inputsOf(id)) next.add(input);
    if (next.size > most) return false;
    operands.set(root, next);
    return true;
  };
}
