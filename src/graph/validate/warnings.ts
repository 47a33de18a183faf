/**
 * @file What is no fault, yet worth a look: values that nobody reads, and graphs that are large.
 */
import { excerpt } from '../../errors/index.js';
import { isOpNode, nodesOf, placeOf, type Graph } from '../graph.js';
import { ancestors } from '../topology.js';
import type { Collector } from './findings.js';

/** Nodes above which a graph is called large. */
export const LARGE_GRAPH = 1000;

export function checkUse(graph: Graph, count: number, found: Collector): void {
  const used = ancestors(
    graph,
    graph.outputs.map(({ id }) => id),
  );
  for (const node of nodesOf(graph)) {
    if (used[node.id] === 1) continue;
    if (!found.wantsWarnings()) found.skipWarnings(1);
    else if (isOpNode(node))
      found.warning('W_UNREACHABLE', {
        ...placeOf(node),
        rule: 'no output depends on this node',
        hint: 'remove it, or list its value among the outputs',
      });
    else if (node.op === 'constant') found.warning('W_UNUSED', { ...placeOf(node), rule: 'no output depends on this constant' });
    else found.warning('W_UNUSED', { ...placeOf(node), rule: 'no output depends on this input', hint: 'its feed has no effect' });
  }
  for (const { id, name } of graph.unproduced ?? []) {
    found.warning('W_UNUSED', {
      place: excerpt(name),
      nodeId: id,
      rule: `tensor ${id} has no producer and is no input`,
      hint: 'remove it, or list it among the inputs',
    });
  }
  if (count > LARGE_GRAPH) {
    found.warning('W_LARGE', {
      place: 'graph',
      rule: `a graph of more than ${LARGE_GRAPH} nodes is large`,
      actual: `${count} nodes`,
      hint: "compile it at level 'standard' or above, so that nodes are fused",
    });
  }
}
