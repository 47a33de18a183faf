/**
 * @file The groups that passes joined, in terms of the nodes of the graph that the first of them was given.
 */
import type { Graph, NodeId } from '../../graph/graph.js';
import { topology } from '../../graph/topology.js';
import type { PassReport } from '../pass.js';

/** Members of each group, by the id of its last node. */
export type Groups = Map<NodeId, readonly NodeId[]>;

/** Adds what a pass joined: a group that becomes part of another one goes. */
export function addGroups(groups: Groups, { rewrites }: PassReport): void {
  for (const { from, into } of rewrites) {
    if (into === undefined) continue;
    const members = expand(groups, [...new Set([...from, into])]);
    for (const id of from) groups.delete(id);
    groups.set(into, members);
  }
}

/** The nodes that these nodes stand for. */
export const expand = (groups: Groups, nodes: readonly NodeId[]): readonly NodeId[] =>
  nodes.flatMap((id) => groups.get(id) ?? [id]);

/** Sorts nodes by when the graph executes them. */
export function executionOrder(graph: Graph): (nodes: readonly NodeId[]) => readonly NodeId[] {
  const positions = new Int32Array(graph.size);
  topology(graph).order.forEach((id, at) => (positions[id] = at));
  return (nodes) => [...nodes].sort((a, b) => positions[a] - positions[b]);
}
