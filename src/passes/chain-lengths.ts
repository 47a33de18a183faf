/**
 * @file How long the chains within a group of fused nodes are.
 */
import type { NodeId } from '../graph/graph.js';

/** Grows with the groups: a node joins only after all its readers have. */
export interface Chains {
  /** Whether no chain is too long, once what these nodes read has joined them. */
  readonly fits: (readers: Int32Array) => boolean;
  readonly add: (id: NodeId, readers: Int32Array) => void;
}

const FREE: Chains = { fits: () => true, add: () => undefined };

/**
 * @param size of the graph
 * @param most nodes of a group, one reading the other, up to its last node
 */
export function chainLengths(size: number, most = Infinity): Chains {
  if (most === Infinity) return FREE;
  const lengths = new Int32Array(size).fill(1);
  const above = (readers: Int32Array): number => readers.reduce((longest, id) => Math.max(longest, lengths[id]), 0) + 1;
  return { fits: (readers) => above(readers) <= most, add: (id, readers) => void (lengths[id] = above(readers)) };
}
