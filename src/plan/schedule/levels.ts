/**
 * @file Levels: all that wait for earlier levels alone, and may run at the same time. Sizes are not asked for.
 */
import { findNode, isOpNode, type Graph, type NodeId } from '../../graph/graph.js';
import { topology } from '../../graph/topology.js';

/** Numbers, or ids, in groups that come one after another. */
export type Groups = readonly (readonly number[])[];

export const oneByOne = (order: readonly number[]): Groups => order.map((at) => [at]);

/**
 * How many deep each lies; −1 for what is not in the order.
 *
 * @param order each after those that it waits for
 * @param before those that it waits for; what is not in the order is there from the start
 */
export function depthsOf(order: Iterable<number>, size: number, before: (at: number) => readonly number[]): Int32Array {
  const depths = new Int32Array(size).fill(-1);
  for (const at of order) depths[at] = before(at).reduce((deepest, earlier) => Math.max(deepest, depths[earlier]), -1) + 1;
  return depths;
}

/** Those of a level together, in order. */
export function grouped(order: Iterable<number>, levels: Int32Array): Groups {
  const groups: number[][] = [];
  for (const at of order) (groups[levels[at]] ??= []).push(at);
  return groups;
}

/** Ids of the nodes that compute, all of a level `'together'` or `'one'` after another. Frozen. */
export function levelsOf(graph: Graph, manner: 'together' | 'one'): readonly (readonly NodeId[])[] {
  const order = topology(graph).order.filter((id) => isOpNode(findNode(graph, id)!));
  const groups = manner === 'one' ? oneByOne(order) : grouped(order, depthsOf(order, graph.size, (id) => findNode(graph, id)!.inputs)); // prettier-ignore
  return Object.freeze(groups.map((group) => Object.freeze(group)));
}
