/**
 * @file `analyze`: what `optimize` would do, without doing it.
 */
import { findNode, isOpNode, type Graph, type Names, type NodeId } from '../graph/graph.js';
import { givenShapes } from '../graph/shapes.js';
import { knownOp } from '../ops/known.js';
import { fusionBenefit } from './fusion-benefit.js';
import { graphTime, guessedTypes } from './estimate.js';
import { optimize, revert, type OptimizeOptions } from './optimize.js';
import type { Pass, PassReport } from './pass.js';

/** Nodes that one kernel can compute. */
export interface FusionOpportunity {
  /** Ids, in order of execution; the last one keeps its id and name. */
  readonly nodes: readonly NodeId[];
  /** `'ElementWise'`: ops one after another; `'Einsum'`: a contraction and what follows it; `'Reduction'`: a fold and what is around it. */
  readonly kind: 'ElementWise' | 'Einsum' | 'Reduction';
  /** Share of the nodes' cost that is saved, from 0 to 1. */
  readonly benefit: number;
}

/** What there is to gain, by id. */
export interface OptimizationResult {
  readonly fusionOpportunities: readonly FusionOpportunity[];
  /** Nodes that no output depends on. */
  readonly deadNodes: readonly NodeId[];
  /** Values that are computed again, and the one that stands for them. */
  readonly redundantComputations: readonly { readonly kept: NodeId; readonly redundant: readonly NodeId[] }[];
  /** Cost before by cost after, from `nodeCost` on the shapes; exactly 1 where nothing is found. */
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
  const fusionOpportunities: FusionOpportunity[] = [];
  const deadNodes: NodeId[] = [];
  const redundantComputations: { readonly kept: NodeId; readonly redundant: readonly NodeId[] }[] = [];
  reports.forEach(({ pass, rewrites }, at) => {
    if (pass === 'eliminateDeadNodes') deadNodes.push(...rewrites.flatMap(({ from }) => from));
    if (pass === 'eliminateCommonSubexpressions') redundantComputations.push(...rewrites.map(({ from, into }) => ({ kept: into!, redundant: from }))); // prettier-ignore
    if (pass.startsWith('fuse')) fusionOpportunities.push(...found(revert(after, reports.slice(at)), reports[at], given));
  });
  // Costs are those of the graph as given: the same sizes are guessed for both.
  const [before, now] = [graph, after].map((each) => graphTime(each, guessedTypes(each, given)));
  const estimatedSpeedup = reports.length === 0 ? 1 : Math.max(before, 1) / Math.max(now, 1);
  return { fusionOpportunities, deadNodes, redundantComputations, estimatedSpeedup, reports };
}

/** The groups that a pass joined, seen on the graph that it was given. */
function found(graph: Graph, { rewrites }: PassReport, given: ReturnType<typeof givenShapes>): readonly FusionOpportunity[] {
  const types = guessedTypes(graph, given);
  return rewrites.map(({ from, into }) => {
    const nodes = into === undefined || from.includes(into) ? from : [...from, into];
    return { nodes, kind: kindOf(graph, nodes), benefit: fusionBenefit(graph, nodes, types) };
  });
}

function kindOf(graph: Graph, nodes: readonly NodeId[]): FusionOpportunity['kind'] {
  const ops = nodes.map((id) => findNode(graph, id)!).filter(isOpNode).map(({ op }) => knownOp(op)!); // prettier-ignore
  if (ops.some((op) => op.contract !== undefined)) return 'Einsum';
  return ops.some((op) => op.fold !== undefined) ? 'Reduction' : 'ElementWise';
}
