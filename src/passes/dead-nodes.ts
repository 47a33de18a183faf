/**
 * @file Removes nodes that no output depends on. Cost: one walk of the graph.
 */
import { isOpNode, nodesOf, type NodeId } from '../graph/graph.js';
import { ancestors } from '../graph/topology.js';
import { removeNodes } from './edit.js';
import type { Pass } from './pass.js';

/**
 * Removes what no output depends on. Inputs and params stay, dead or not: feeds are checked against them.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => { exp(x); return { y: relu(x) }; });
 * nodeCount(optimize(g, [eliminateDeadNodes]).graph) // => 2
 * ```
 */
export const eliminateDeadNodes: Pass = {
  name: 'eliminateDeadNodes',
  rewrite(graph, edit, { keep }) {
    const live = ancestors(graph, [...graph.outputs.map(({ id }) => id), ...keep]); // read from the frozen graph
    const dead: NodeId[] = [];
    for (const node of nodesOf(graph)) if (live[node.id] === 0 && (isOpNode(node) || node.op === 'constant')) dead.push(node.id);
    // A draft only when there is something to do.
    if (dead.length > 0) edit((draft) => removeNodes(draft, graph, dead), [{ rule: 'no output depends on it', from: dead }]);
  },
};
