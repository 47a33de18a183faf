/**
 * @file What one run of a graph costs: operations, bytes, and by a cost model how long that takes, one kernel after another.
 */
import { isOpNode, nodesOf, type Graph, type NodeId, type OpNode } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { knownOp } from '../ops/known.js';
import type { Params } from '../ops/op.js';
import { totalOf, type NodeWork } from '../plan/cost.js';
import { kernelTime, type FusionCostModel } from '../plan/fusionCosts.js';
import { KERNEL_COSTS } from '../plan/kernelCosts.js';
import { sizeOf, workOf } from './estimate.js';

/** Of one run. */
export interface GraphCost {
  readonly flops: number;
  readonly bytes: number;
  readonly kernels: number;
  /** In the unit of the cost model. */
  readonly time: number;
}

/** The cost of a sound graph. Nodes of unknown sizes are kernels that do nothing. */
export function graphCost(graph: Graph, types: readonly (ValueType | undefined)[], costs: FusionCostModel): GraphCost {
  const workIn = remembered(types);
  let [flops, bytes, kernels, time] = [0, 0, 0, 0];
  for (const node of nodesOf(graph)) {
    if (!isOpNode(node) || knownOp(node.op)!.view !== undefined) continue;
    const work = workIn(node);
    flops += totalOf(work.operations);
    bytes += work.memory;
    kernels++;
    time += kernelTime(work, costs);
  }
  return { flops, bytes, kernels, time };
}

/** The same; undefined where sizes are not known. */
export function wholeCost(
  graph: Graph,
  types: readonly (ValueType | undefined)[],
  costs: FusionCostModel = KERNEL_COSTS.wasm,
): GraphCost | undefined {
  const isKnown = (id: NodeId): boolean => sizeOf(types[id]) !== undefined;
  for (const node of nodesOf(graph)) if (isOpNode(node) && !(isKnown(node.id) && node.inputs.every(isKnown))) return undefined;
  return graphCost(graph, types, costs);
}

/** How many times faster the second is. A run is held to take a launch at least: 1 where neither does anything. */
export function speedupOf(before: GraphCost, after: GraphCost, { launch, frame = 0 }: FusionCostModel): number {
  const of = ({ time }: GraphCost): number => frame + Math.max(time, launch);
  return before.time === after.time ? 1 : of(before) / of(after);
}

/** Nodes that do the same to the same sizes cost the same: a million nodes are a few kinds. */
function remembered(types: readonly (ValueType | undefined)[]): (node: OpNode) => NodeWork {
  const known = new Map<Params, Map<string, NodeWork>>();
  return (node) => {
    const byKey = known.get(node.params) ?? new Map<string, NodeWork>();
    known.set(node.params, byKey);
    const key = `${node.op} ${[...node.inputs, node.id].map((id) => `${types[id]?.dtype}[${types[id]?.dims?.join()}]`).join()}`;
    const work = byKey.get(key) ?? workOf(node, types);
    byKey.set(key, work);
    return work;
  };
}
