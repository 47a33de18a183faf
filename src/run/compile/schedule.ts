/**
 * @file Groups of nodes that may run at the same time: all whose operands are there after the groups before.
 */
import { findNode, isOpNode, type Graph, type NodeId } from '../../graph/graph.js';
import { topology } from '../../graph/topology.js';

/** Groups in order of execution, `'one'` node in each or as many `'together'` as depend on no other of their group. */
export function scheduleOf(graph: Graph, manner: 'together' | 'one'): readonly (readonly NodeId[])[] {
  const groups: NodeId[][] = [];
  const depth = new Int32Array(graph.size);
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (!isOpNode(node)) continue;
    let at = groups.length;
    if (manner === 'together') at = node.inputs.reduce((deepest, input) => Math.max(deepest, depth[input]), 0);
    depth[id] = at + 1;
    if (groups[at] === undefined) groups[at] = [id];
    else groups[at].push(id);
  }
  return Object.freeze(groups.map((group) => Object.freeze(group)));
}
