/**
 * @file Order and reach: iterative walks, linear in nodes and edges, on any depth.
 */
import { findNode, type Graph, type NodeId } from './graph.js';
import { checkGraph } from './check-graph.js';

export interface Topology {
  /** Ids of all nodes that can be ordered, producers before consumers, smaller ids first among the ready. */
  readonly order: readonly NodeId[];
  /** Ids that lie on or behind a cycle. Empty in a sound graph. */
  readonly blocked: readonly NodeId[];
}

/** Already sorted: every node's inputs have smaller ids. Most graphs are, and then no walk is needed. */
function isSorted(graph: Graph): boolean {
  for (const chunk of graph.chunks) {
    for (let i = 0; i < chunk.length; i++) {
      const node = chunk[i];
      if (node === undefined) continue;
      for (let k = 0; k < node.inputs.length; k++) if (node.inputs[k] >= node.id) return false;
    }
  }
  return true;
}

function idsOf(graph: Graph): NodeId[] {
  const ids: NodeId[] = [];
  for (const chunk of graph.chunks) for (let i = 0; i < chunk.length; i++) if (chunk[i] !== undefined) ids.push(chunk[i]!.id);
  return ids;
}

/** Producers before consumers (Kahn's algorithm). Inputs that do not exist count as ready: `validate` reports them. */
export function topology(graph: Graph): Topology {
  checkGraph(graph);
  const ids = idsOf(graph);
  if (isSorted(graph)) return { order: ids, blocked: [] };
  const { starts, targets } = consumers(graph);
  const waiting = new Int32Array(graph.size);
  const exists = (id: NodeId): boolean => Number.isInteger(id) && id >= 0 && id < graph.size && findNode(graph, id) !== undefined;
  for (const id of ids) for (const input of findNode(graph, id)!.inputs) if (exists(input)) waiting[id]++;
  const order: NodeId[] = ids.filter((id) => waiting[id] === 0);
  for (let at = 0; at < order.length; at++) {
    const id = order[at];
    for (let k = starts[id]; k < starts[id + 1]; k++) if (--waiting[targets[k]] === 0) order.push(targets[k]);
  }
  return { order, blocked: order.length === ids.length ? [] : ids.filter((id) => waiting[id] > 0) };
}

/** The consumers of each id as one flat list: those of `id` are targets[starts[id]] … targets[starts[id + 1] − 1]. */
export function consumers(graph: Graph): { readonly starts: Int32Array; readonly targets: Int32Array } {
  const starts = new Int32Array(graph.size + 1);
  const each = (visit: (input: NodeId, consumer: NodeId) => void): void => {
    for (const chunk of graph.chunks) {
      for (let i = 0; i < chunk.length; i++) {
        const node = chunk[i];
        if (node === undefined) continue;
        for (let k = 0; k < node.inputs.length; k++) {
          const input = node.inputs[k];
          if (Number.isInteger(input) && input >= 0 && input < graph.size) visit(input, node.id);
        }
      }
    }
  };
  each((input) => starts[input + 1]++);
  for (let id = 0; id < graph.size; id++) starts[id + 1] += starts[id];
  const targets = new Int32Array(starts[graph.size]);
  const next = starts.slice();
  each((input, consumer) => (targets[next[input]++] = consumer));
  return { starts, targets };
}

/** A mark for each id that one of `roots` depends on, the roots included. */
export function ancestors(graph: Graph, roots: Iterable<NodeId>): Uint8Array {
  const marked = new Uint8Array(graph.size);
  const stack: NodeId[] = [];
  const visit = (id: NodeId): void => {
    if (id >= 0 && id < graph.size && marked[id] === 0 && findNode(graph, id) !== undefined) {
      marked[id] = 1;
      stack.push(id);
    }
  };
  for (const root of roots) visit(root);
  while (stack.length > 0) for (const input of findNode(graph, stack.pop()!)!.inputs) visit(input);
  return marked;
}

/** A cycle among `blocked` ids, as a path that starts and ends with the same id. */
export function cycleAmong(graph: Graph, blocked: readonly NodeId[]): readonly NodeId[] {
  const inside = new Set(blocked);
  const seenAt = new Map<NodeId, number>();
  const path: NodeId[] = [];
  let id: NodeId | undefined = blocked[0];
  // Every blocked node has a blocked input, so walking upstream must come round.
  while (id !== undefined && !seenAt.has(id)) {
    seenAt.set(id, path.length);
    path.push(id);
    id = findNode(graph, id)!.inputs.find((input) => inside.has(input));
  }
  return id === undefined ? [] : [...path.slice(seenAt.get(id)), id].reverse();
}
