/**
 * @file What is wrong with a plan for a graph: plans may be cut, joined and written by anybody.
 */
import type { Diagnostic } from '../../errors/index.js';
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import { consumers, topology } from '../../graph/topology.js';
import { collector, type Collector } from '../../graph/validate/findings.js';
import { keptIds } from '../kept-ids.js';
import type { ReadConfig } from './config.js';
import { depthOf } from './opportunity.js';
import type { FusionPlan } from './plan.js';

/** Every group apart, then all of them together. Linear in nodes and edges. */
export function checkPlan(graph: Graph, { opportunities }: Pick<FusionPlan, 'opportunities'>, config: ReadConfig): Diagnostic[] {
  const found = collector();
  const groupOf = new Map<NodeId, number>();
  const sound = opportunities.filter(({ nodes }, at) => {
    const members = nodes.map((id) => findNode(graph, id));
    const isSound = members.length > 1 && members.every((node): node is OpNode => node !== undefined && isOpNode(node));
    if (!isSound) return wrong(found, at, 'a group is two or more nodes that compute', nodes);
    const again = nodes.filter((id) => groupOf.has(id) || groupOf.set(id, at) === undefined);
    if (again.length > 0) wrong(found, at, 'a node is in one group, once', again);
    if (nodes.length > config.maxSize) wrong(found, at, `a group has at most ${config.maxSize} nodes`, nodes);
    const depth = depthOf(members);
    if (depth > config.maxDepth) wrong(found, at, `a chain has at most ${config.maxDepth} nodes`, nodes);
    return again.length === 0;
  });
  checkInner(graph, opportunities, config, groupOf, found);
  if (sound.length === opportunities.length && isCyclic(graph, groupOf)) wrong(found, 0, 'groups must not wait for each other', [...groupOf.keys()]); // prettier-ignore
  return [...found.result().listed];
}

/** Values within a group are read there alone. */
function checkInner(
  graph: Graph,
  opportunities: FusionPlan['opportunities'],
  { keep }: ReadConfig,
  groupOf: ReadonlyMap<NodeId, number>,
  found: Collector,
): void {
  const { starts, targets } = consumers(graph);
  const visible = new Set([...graph.outputs.map(({ id }) => id), ...keptIds(graph, keep)]);
  opportunities.forEach(({ nodes }, at) => {
    const inner = nodes.slice(0, -1).filter((id) => findNode(graph, id) !== undefined);
    const seen = inner.filter((id) => visible.has(id));
    if (seen.length > 0) wrong(found, at, 'only the last node of a group is an output, or kept', seen);
    const isReadOutside = (id: NodeId): boolean => targets.subarray(starts[id], starts[id + 1]).some((reader) => groupOf.get(reader) !== at); // prettier-ignore
    const outside = inner.filter(isReadOutside);
    if (outside.length > 0) wrong(found, at, 'only the last node of a group is read outside of it', outside);
  });
}

/** Whether groups as single nodes would form a circle: then some have no turn in any order. */
function isCyclic(graph: Graph, groupOf: ReadonlyMap<NodeId, number>): boolean {
  const unit = (id: NodeId): number => (groupOf.has(id) ? -1 - groupOf.get(id)! : id);
  const { starts, targets } = consumers(graph);
  const { order } = topology(graph);
  const waiting = new Map<number, number>();
  const readersOf = new Map<number, number[]>();
  for (const id of order) {
    const from = unit(id);
    if (!waiting.has(from)) waiting.set(from, 0);
    if (!readersOf.has(from)) readersOf.set(from, []);
    for (let k = starts[id]; k < starts[id + 1]; k++) {
      const to = unit(targets[k]);
      if (to === from) continue;
      readersOf.get(from)!.push(to);
      waiting.set(to, (waiting.get(to) ?? 0) + 1);
    }
  }
  const ready = [...waiting.keys()].filter((each) => waiting.get(each) === 0);
  for (let at = 0; at < ready.length; at++)
    for (const to of readersOf.get(ready[at])!) {
      waiting.set(to, waiting.get(to)! - 1);
      if (waiting.get(to) === 0) ready.push(to);
    }
  return ready.length < waiting.size;
}

function wrong(found: Collector, at: number, rule: string, nodes: readonly NodeId[]): false {
  found.fault('E_ARGUMENT', { place: `opportunities[${at}]`, rule, actual: `nodes ${nodes.slice(0, 8).join(', ')}`, ...(nodes[0] === undefined ? {} : { nodeId: nodes[0] }) }); // prettier-ignore
  return false;
}
