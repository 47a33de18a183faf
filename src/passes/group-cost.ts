/**
 * @file What a group of nodes saves as one kernel: launches, and values that are neither written nor read again.
 */
import { findNode, type Graph, type NodeId, type OpNode } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { knownOp } from '../ops/known.js';
import { computing, kernelTime, moving, type FusionCostModel } from '../plan/fusionCosts.js';
import { bytesIn, workOf } from './estimate.js';

/** What nodes cost one by one and as one kernel, in the unit of the cost model. */
export interface FusionCost {
  /** A kernel for each node. */
  readonly separate: number;
  /** One kernel for all. */
  readonly fused: number;
  /** The share of the separate cost that is saved, from 0 to 1. */
  readonly benefit: number;
  /** Bytes that are neither written nor read any more. */
  readonly bytesSaved: number;
  /** How long these bytes take at the model's bandwidth. */
  readonly secondsSaved: number;
}

/**
 * What a group saves. Values of unknown size count as nothing, so that only launches are saved.
 *
 * @param group ids in order of execution; no value but the last is read outside
 * @param joined the node that stands for the group, where there is one already; else it does all that its members do, and reads
 *   once what they read, but the operands of a contraction one by one
 */
export function groupCost(
  graph: Graph,
  group: readonly NodeId[],
  types: readonly (ValueType | undefined)[],
  costs: FusionCostModel,
  joined?: OpNode,
): FusionCost {
  const inside = new Set(group);
  const read = new Set<NodeId>();
  let [separate, operations, separateBytes, fusedBytes] = [0, 0, 0, bytesIn(types[group.at(-1)!])];
  for (const id of group) {
    const node = findNode(graph, id) as OpNode;
    const op = knownOp(node.op)!;
    for (const input of node.inputs) {
      if (inside.has(input) || read.has(input)) continue;
      if (op.contract === undefined) read.add(input);
      fusedBytes += bytesIn(types[input]);
    }
    if (op.view !== undefined) continue;
    const work = workOf(node, types);
    separate += kernelTime(work, costs);
    operations += computing(work.operations, costs);
    separateBytes += work.memory;
  }
  const own = joined === undefined ? undefined : workOf(joined, types);
  const memory = own?.memory ?? Math.min(fusedBytes, separateBytes);
  const fused = own === undefined ? costs.launch + operations + moving(memory, costs) : kernelTime(own, costs);
  const bytesSaved = separateBytes - memory;
  // Where nothing costs anything, one kernel is still less than several.
  const benefit = separate === 0 ? 1 : (separate - fused) / separate;
  return { separate, fused, benefit, bytesSaved, secondsSaved: bytesSaved / costs.bandwidth };
}
