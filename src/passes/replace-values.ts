/**
 * @file Values that take the place of others: nodes go, and what read them, outputs included, reads what stands for them.
 */
import type { Draft } from 'immer';
import { isOpNode, nodesOf, type Graph, type Node, type NodeId } from '../graph/graph.js';
import { replaceNodes } from './edit.js';

/** For each id, what is read in its place: itself at first. */
export function ownPlaces(size: number): Int32Array {
  const places = new Int32Array(size);
  for (let id = 0; id < size; id++) places[id] = id;
  return places;
}

/**
 * What becomes of each node: those with another id in their place go, those that read one read the other.
 *
 * @param places for each id what is read in its place, to the end: `places[places[id]]` is `places[id]`
 * @param rewritten nodes that are something else from now on; their operands are taken as they are
 */
export function changesOf(
  graph: Graph,
  places: Int32Array,
  rewritten: ReadonlyMap<NodeId, Node> = new Map(),
): Map<NodeId, Node | undefined> {
  const changes = new Map<NodeId, Node | undefined>(rewritten);
  for (const node of nodesOf(graph)) {
    if (places[node.id] !== node.id) changes.set(node.id, undefined);
    else if (!rewritten.has(node.id) && isOpNode(node) && node.inputs.some((id) => places[id] !== id)) {
      const { alias } = node;
      const inputs = node.inputs.map((id) => places[id]);
      changes.set(node.id, { ...node, inputs, ...(alias === undefined ? {} : { alias: places[alias] }) });
    }
  }
  return changes;
}

/** Makes the changes, and turns outputs to what stands for them: they keep their names. */
export function replaceValues(
  draft: Draft<Graph>,
  read: Graph,
  places: Int32Array,
  changes: ReadonlyMap<NodeId, Node | undefined>,
): void {
  replaceNodes(draft, read, changes);
  read.outputs.forEach(({ id }, at) => {
    if (places[id] !== id) draft.outputs[at].id = places[id];
  });
}
