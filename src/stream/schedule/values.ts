/**
 * @file The values of a frame, by id in the whole graph: what is fed, and what parts have given so far.
 */
import { findNode, isOpNode, isValueNode, nameOf, nodesOf, type Graph, type NodeId } from '../../graph/graph.js';
import type { Feeds } from '../../run/feeds.js';
import type { Tensor } from '../../tensor/tensor.js';
import { partName, type Part } from './part.js';

export type Values = ReadonlyMap<NodeId, Tensor>;

/** Inputs, params and constants, as they are fed by name: what is known before anything is computed. */
export function givenValues(graph: Graph, feeds: ReadonlyMap<string, Tensor>): Map<NodeId, Tensor> {
  const values = new Map<NodeId, Tensor>();
  for (const node of nodesOf(graph)) {
    if (isOpNode(node)) continue;
    const value = (node.op === 'constant' ? undefined : feeds.get(nameOf(node))) ?? (isValueNode(node) ? node.value : undefined);
    if (value !== undefined) values.set(node.id, value);
  }
  return values;
}

/** What a part is fed. Params that are not overridden have their value with them already. */
export function feedsOfPart(graph: Graph, { takes }: Part, values: Values): Feeds {
  const feeds = Object.create(null) as Record<string, Tensor>;
  for (const id of takes) {
    const node = findNode(graph, id)!;
    const value = values.get(id)!;
    if (!isValueNode(node) || node.value !== value) feeds[partName(id)] = value;
  }
  return feeds;
}
