/**
 * @file `fusionCost`: what nodes of a graph cost one by one, and as one kernel.
 */
import { fault } from '../../errors/index.js';
import { findNode, isOpNode, type Graph, type NodeId } from '../../graph/graph.js';
import { givenShapes } from '../../graph/shapes.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import type { Dims } from '../../ops/dims.js';
import { FUSION_COSTS, readCosts, type FusionCostModel } from '../../plan/fusionCosts.js';
import { guessedTypes } from '../estimate.js';
import { groupCost, type FusionCost } from '../group-cost.js';
import { executionOrder } from './groups.js';

/**
 * What nodes cost one by one, and as one kernel: launches, operations, and accesses to memory, from inferred shapes.
 *
 * ```ts
 * const g = graph({ x: input([1000]) }, ({ x }) => ({ y: relu(neg(x)) }));
 * // Two launches, 2 × 1000 operations, 2 × 2000 accesses; or one launch, as many operations, 2000 accesses.
 * const { separate, fused, bytesSaved } = fusionCost(g, [1, 2]);
 * [separate, fused, bytesSaved] // => [4220, 2210, 8000]
 * ```
 *
 * @param nodes ids of ops; only the last one in order of execution is read outside of them
 * @param options shapes of inputs by name, a size that is not known counts as 64; the cost model, `FUSION_COSTS` by default
 * @throws EinstreamError E_ARGUMENT for ids that are no ops, or weights that are no numbers; the first fault of a broken graph
 */
export function fusionCost(
  graph: Graph,
  nodes: readonly NodeId[],
  {
    shapes = {},
    costs = FUSION_COSTS,
  }: { readonly shapes?: Readonly<Record<string, Dims>>; readonly costs?: FusionCostModel } = {},
): FusionCost {
  throwIfBroken(graph);
  const stranger = nodes.find((id) => findNode(graph, id) === undefined || !isOpNode(findNode(graph, id)!));
  if (nodes.length === 0 || stranger !== undefined)
    throw fault('E_ARGUMENT', { place: 'nodes', rule: 'they are ids of one or more nodes that compute', actual: String(stranger ?? 'none') }); // prettier-ignore
  const group = executionOrder(graph)([...new Set(nodes)]);
  return groupCost(graph, group, guessedTypes(graph, givenShapes(graph, shapes)), readCosts(costs));
}
