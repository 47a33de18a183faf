/**
 * @file The part of a graph that a gradient passes through: what lies between the variables and the target.
 */
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../graph/graph.js';
import { ancestors, topology } from '../graph/topology.js';

export interface Reach {
  /** 1 for each value that depends on a variable, the variables included. */
  readonly dependent: Uint8Array;
  /** Ops on the way, results before operands. */
  readonly backwards: readonly OpNode[];
}

/** Three walks of the graph. */
export function reach(graph: Graph, of: readonly NodeId[], wrt: readonly NodeId[]): Reach {
  const needed = ancestors(graph, of);
  const dependent = new Uint8Array(graph.size);
  for (const id of wrt) dependent[id] = 1;
  const forwards: OpNode[] = [];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (!isOpNode(node)) continue;
    for (const input of node.inputs) if (dependent[input] === 1) dependent[id] = 1;
    if (dependent[id] === 1 && needed[id] === 1) forwards.push(node);
  }
  return { dependent, backwards: forwards.reverse() };
}
