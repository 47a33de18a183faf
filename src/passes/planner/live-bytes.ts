/**
 * @file What a group of nodes does to the bytes that live at each step: its inner values are gone, and what it reads must stay
 * until its last node runs.
 */
import { findNode, isOpNode, nodesOf, type Graph, type NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { topology } from '../../graph/topology.js';
import { knownOp } from '../../ops/known.js';
import { bytesIn } from '../estimate.js';

/**
 * Tells whether fewer bytes live at some step, and more at none. Groups for each of which that is so raise the peak together
 * as little as one by one: none reads another one's inner values.
 */
export function savesMemory(graph: Graph, types: readonly (ValueType | undefined)[]): (group: readonly NodeId[]) => boolean {
  const { positions, lastReads, ownerOf } = lifetimes(graph);
  return (group) => {
    const inside = new Set(group);
    const end = positions[group.at(-1)!];
    const changes: [at: number, bytes: number][] = [];
    const read = new Set<NodeId>();
    for (const id of group) {
      for (const input of findNode(graph, id)!.inputs) if (!inside.has(input)) read.add(ownerOf[input]);
      if (id !== group.at(-1)) changes.push([positions[id], -bytesIn(types[id])], [lastReads[id] + 1, bytesIn(types[id])]);
    }
    for (const id of read) if (lastReads[id] < end) changes.push([lastReads[id] + 1, bytesIn(types[id])]);
    changes.sort(([a], [b]) => a - b);
    let [live, least, most] = [0, 0, 0];
    changes.forEach(([at, bytes], k) => {
      live += bytes;
      // All that changes at a step counts before the step does, and nothing after the group's end.
      if (at > end || changes[k + 1]?.[0] === at) return;
      [least, most] = [Math.min(least, live), Math.max(most, live)];
    });
    return least < 0 && most <= 0;
  };
}

interface Lifetimes {
  readonly positions: Float64Array;
  /** When each value is read last; Infinity for what stays: outputs, and what the graph is given. */
  readonly lastReads: Float64Array;
  /** By id: the value whose memory a view shows. */
  readonly ownerOf: Int32Array;
}

function lifetimes(graph: Graph): Lifetimes {
  const positions = new Float64Array(graph.size);
  const lastReads = new Float64Array(graph.size);
  const ownerOf = new Int32Array(graph.size);
  topology(graph).order.forEach((id, at) => {
    positions[id] = lastReads[id] = at;
    const node = findNode(graph, id)!;
    const isView = isOpNode(node) && knownOp(node.op)!.view !== undefined;
    ownerOf[id] = isView ? ownerOf[node.inputs[0]] : id;
    for (const input of node.inputs) lastReads[ownerOf[input]] = Math.max(lastReads[ownerOf[input]], at);
  });
  for (const { id } of graph.outputs) lastReads[ownerOf[id]] = Infinity;
  for (const node of nodesOf(graph)) if (!isOpNode(node)) lastReads[node.id] = Infinity;
  return { positions, lastReads, ownerOf };
}
