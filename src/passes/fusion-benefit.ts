/**
 * @file What a group of nodes saves as one kernel: values that are neither written nor read again.
 */
import { findNode, type Graph, type NodeId, type OpNode } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { movingTime, timeOf } from './estimate.js';

/**
 * The share of its nodes' cost that a group saves, from 0 to 1. Where no cost is known it is 1: one kernel is less than several.
 *
 * @param group ids, the last node last; no value but its own is read outside
 */
export function fusionBenefit(graph: Graph, group: readonly NodeId[], types: readonly (ValueType | undefined)[]): number {
  const inside = new Set(group);
  const last = group.at(-1);
  let [time, saved] = [0, 0];
  for (const id of group) {
    const node = findNode(graph, id) as OpNode;
    time += timeOf(node, types);
    // Read by the group's nodes from memory; written once.
    for (const input of node.inputs) if (inside.has(input)) saved += movingTime(types[input]);
    if (id !== last) saved += movingTime(types[id]);
  }
  return time === 0 ? 1 : saved / time;
}
