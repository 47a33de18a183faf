/**
 * @file All cycles of a graph, one path for each knot of nodes that depend on each other.
 */
import { excerpt } from '../../errors/index.js';
import { findNode, nameOf, placeOf, type Graph, type NodeId } from '../graph.js';
import { cycleAmong } from '../topology.js';
import type { Collector } from './findings.js';

/** Names that a path shows before it is cut. */
const SHOWN = 8;

/** Reports each knot among the ids that could not be ordered. */
export function checkCycles(graph: Graph, blocked: readonly NodeId[], found: Collector): void {
  if (blocked.length === 0) return;
  for (const knot of knots(graph, blocked)) {
    const path = cycleAmong(graph, knot);
    const names = path.map((id) => excerpt(nameOf(findNode(graph, id)!), 40));
    const shown = names.length > SHOWN + 1 ? [...names.slice(0, SHOWN), `… (${names.length - 1} nodes)`, names[0]] : names;
    found.fault('E_CYCLE', {
      ...placeOf(findNode(graph, path[0])!),
      rule: 'a graph must not depend on itself',
      actual: shown.join(' → '),
      hint: 'feed the earlier value back as an input of the next frame',
    });
  }
}

/**
 * Strongly connected components with an edge inside (Tarjan's algorithm, with its own stack).
 * Nodes that merely come behind a cycle are in none.
 */
function* knots(graph: Graph, blocked: readonly NodeId[]): IterableIterator<readonly NodeId[]> {
  const inside = new Uint8Array(graph.size);
  for (const id of blocked) inside[id] = 1;
  const index = new Int32Array(graph.size); // 0 is not yet seen
  const low = new Int32Array(graph.size);
  const next = new Int32Array(graph.size); // the input to look at next
  const onStack = new Uint8Array(graph.size);
  const open: NodeId[] = [];
  let count = 0;
  for (const root of blocked) {
    if (index[root] !== 0) continue;
    const walk = [root];
    while (walk.length > 0) {
      const id = walk[walk.length - 1];
      const { inputs } = findNode(graph, id)!;
      if (index[id] === 0) {
        index[id] = low[id] = ++count;
        onStack[id] = 1;
        open.push(id);
      }
      if (next[id] < inputs.length) {
        const input = inputs[next[id]++];
        if (inside[input] !== 1) continue;
        if (index[input] === 0) walk.push(input);
        else if (onStack[input] === 1) low[id] = Math.min(low[id], index[input]);
        continue;
      }
      walk.pop();
      const parent = walk[walk.length - 1];
      if (parent !== undefined) low[parent] = Math.min(low[parent], low[id]);
      if (low[id] !== index[id]) continue;
      const knot: NodeId[] = [];
      for (let member = -1; member !== id;) {
        member = open.pop()!;
        onStack[member] = 0;
        knot.push(member);
      }
      if (knot.length > 1 || inputs.includes(id)) yield knot.sort((a, b) => a - b);
    }
  }
}
