/**
 * @file `analyze`: what `optimize` would do, without doing it.
 */
import { findNode, type Graph, type Names, type NodeId, type OpNode } from '../graph/graph.js';
import { givenShapes } from '../graph/shapes.js';
import { FUSION_COSTS, type FusionCostModel } from '../plan/fusionCosts.js';
import { KERNEL_COSTS } from '../plan/kernelCosts.js';
import { guessedTypes } from './estimate.js';
import { graphCost, speedupOf } from './graph-cost.js';
import { optimize, revert, type OptimizeOptions } from './optimize.js';
import type { Pass, PassReport } from './pass.js';
import { addGroups, executionOrder, type Groups } from './planner/groups.js';
import { opportunityOf, type FusionOpportunity } from './planner/opportunity.js';

/** What there is to gain, by id. */
export interface OptimizationResult {
  readonly fusionOpportunities: readonly FusionOpportunity[];
  /** Nodes that no output depends on. */
  readonly deadNodes: readonly NodeId[];
  /** Values that are computed again, and the one that stands for them. */
  readonly redundantComputations: readonly { readonly kept: NodeId; readonly redundant: readonly NodeId[] }[];
  /** Time before by time after, by `costs`, or by `KERNEL_COSTS.wasm`, as in the statistics of `compile`; exactly 1 where nothing is found. */
  readonly estimatedSpeedup: number;
  /** All that would be done, as `optimize` reports it. */
  readonly reports: readonly PassReport[];
}

/**
 * What `optimize` with the same options finds. The graph stays as it is.
 *
 * ```ts
 * const g = graph({ x: input([1000]) }, ({ x }) => { neg(x); return { y: sum(relu(add(exp(x), exp(x)))) }; });
 * const { fusionOpportunities, deadNodes, redundantComputations, estimatedSpeedup } = analyze(g);
 * [fusionOpportunities.length, deadNodes, redundantComputations] // => [1, [1], [{ kept: 2, redundant: [3] }]]
 * estimatedSpeedup > 1 // => true
 * ```
 *
 * @param options a list stands for `passes`
 * @throws EinstreamError like `optimize`
 */
export function analyze<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  options: OptimizeOptions | readonly Pass[] = {},
): OptimizationResult {
  const { graph: after, reports } = optimize(graph, options);
  const given = givenShapes(graph, ('shapes' in options ? options.shapes : undefined) ?? {});
  const asked = 'costs' in options ? options.costs : undefined;
  const fusionOpportunities: FusionOpportunity[] = [];
  const deadNodes: NodeId[] = [];
  const redundantComputations: { readonly kept: NodeId; readonly redundant: readonly NodeId[] }[] = [];
  reports.forEach(({ pass, rewrites }, at) => {
    if (pass === 'eliminateDeadNodes') deadNodes.push(...rewrites.flatMap(({ from }) => from));
    if (pass === 'eliminateCommonSubexpressions') redundantComputations.push(...rewrites.map(({ from, into }) => ({ kept: into!, redundant: from }))); // prettier-ignore
    if (!isFusion(reports[at]) || isFusion(reports[at - 1])) return;
    const end = reports.findIndex((report, k) => k > at && !isFusion(report));
    const stretch = reports.slice(at, end < 0 ? undefined : end);
    const joined = revert(after, reports.slice(at + stretch.length));
    fusionOpportunities.push(...found(revert(joined, stretch), joined, stretch, given, asked ?? FUSION_COSTS));
  });
  // Costs are those of the graph as given: the same sizes are guessed for both.
  const costs = asked ?? KERNEL_COSTS.wasm;
  const [before, now] = [graph, after].map((each) => graphCost(each, guessedTypes(each, given), costs));
  const estimatedSpeedup = reports.length === 0 ? 1 : speedupOf(before, now, costs);
  return { fusionOpportunities, deadNodes, redundantComputations, estimatedSpeedup, reports };
}

const isFusion = (report: PassReport | undefined): boolean => report?.pass.startsWith('fuse') === true;

/** What passes joined one after another, in terms of the graph that the first of them was given. */
function found(
  graph: Graph,
  joined: Graph,
  reports: readonly PassReport[],
  given: ReturnType<typeof givenShapes>,
  costs: FusionCostModel,
): readonly FusionOpportunity[] {
  const types = guessedTypes(graph, given);
  const inOrder = executionOrder(graph);
  const groups: Groups = new Map();
  for (const report of reports) addGroups(groups, report);
  return inOrder([...groups.keys()]).map((root) =>
    opportunityOf(graph, inOrder(groups.get(root)!), types, costs, findNode(joined, root) as OpNode),
  );
}
