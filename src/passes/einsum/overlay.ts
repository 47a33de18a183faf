/**
 * @file A graph with changes over it, and how often each of its values is read meanwhile.
 */
import { findNode, isOpNode, nodesOf, type Graph, type Node, type NodeId, type OpNode } from '../../graph/graph.js';

/** Changes of nodes by id, collected until all of them are made at once. */
export interface Overlay {
  /** By id: the new node, or undefined where it is gone. */
  readonly changes: ReadonlyMap<NodeId, Node | undefined>;
  readonly find: (id: NodeId) => Node | undefined;
  /** Read by one operand of one node, and neither an output nor kept. */
  readonly isReadOnce: (id: NodeId) => boolean;
  /** Puts a node in the place of that of its id. What nobody reads then is gone, and what only that read. */
  readonly replace: (node: OpNode) => void;
}

/** @param visible ids of values that must stay, whether or not a node reads them */
export function overlay(graph: Graph, visible: readonly NodeId[]): Overlay {
  const changes = new Map<NodeId, Node | undefined>();
  const readers = new Int32Array(graph.size);
  for (const { inputs } of nodesOf(graph)) for (const id of inputs) readers[id]++;
  const isVisible = new Uint8Array(graph.size);
  for (const id of visible) isVisible[id] = 1;
  const find = (id: NodeId): Node | undefined => (changes.has(id) ? changes.get(id) : findNode(graph, id));
  return {
    changes,
    find,
    isReadOnce: (id) => readers[id] === 1 && isVisible[id] === 0,
    replace(node) {
      const before = find(node.id)!;
      for (const id of node.inputs) readers[id]++;
      changes.set(node.id, node);
      const released = [...before.inputs];
      while (released.length > 0) {
        const id = released.pop()!;
        if (--readers[id] > 0 || isVisible[id] === 1) continue;
        const unread = find(id);
        if (unread === undefined || !isOpNode(unread)) continue;
        changes.set(id, undefined);
        released.push(...unread.inputs);
      }
    },
  };
}
