/**
 * @file What can be joined, and what kind of kernel that gives.
 */
import { findNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { knownOp } from '../../ops/known.js';
import type { FusionCostModel } from '../../plan/fusionCosts.js';
import { groupCost, type FusionCost } from '../group-cost.js';
import { patternsIn, type FusionPattern } from './patterns.js';

/** What a joined kernel does. */
export type FusionType =
  /** Ops one after another on each element. */
  | { readonly kind: 'ElementWise' }
  /** Contractions merged into one, or one and what is done with each sum; `contractions` are those among the nodes. */
  | { readonly kind: 'Einsum'; readonly contractions: readonly NodeId[] }
  /** Ops on each element, then the fold of them. */
  | { readonly kind: 'Reduction'; readonly reduction: NodeId }
  /** A fold, and what is done with what it gives. */
  | { readonly kind: 'ReductionElementWise'; readonly reduction: NodeId }
  /** Several folds over the same rows. */
  | { readonly kind: 'MultiReduction'; readonly reductions: readonly NodeId[] };

/** Nodes that one kernel can compute. */
export type FusionOpportunity = FusionType & {
  /** Ids, in order of execution; the last one keeps its id and name. */
  readonly nodes: readonly NodeId[];
  /** Nodes of the longest chain among them. */
  readonly depth: number;
  /** What is known by name in them. */
  readonly patterns: readonly FusionPattern[];
  readonly cost: FusionCost;
  /** Share of the nodes' cost that is saved, from 0 to 1: that of `cost`. */
  readonly benefit: number;
};

/**
 * @param nodes ids in order of execution
 * @param joined the node that stands for them, where there is one already
 */
export function opportunityOf(
  graph: Graph,
  nodes: readonly NodeId[],
  types: readonly (ValueType | undefined)[],
  costs: FusionCostModel,
  joined?: OpNode,
): FusionOpportunity {
  const members = nodes.map((id) => findNode(graph, id) as OpNode);
  const cost = groupCost(graph, nodes, types, costs, joined);
  return {
    ...typeOf(members, joined),
    nodes,
    depth: depthOf(members),
    patterns: patternsIn(graph, members, types),
    cost,
    benefit: cost.benefit,
  };
}

function typeOf(members: readonly OpNode[], joined: OpNode | undefined): FusionType {
  const having = (rule: 'contract' | 'fold'): readonly NodeId[] => members.filter(({ op }) => knownOp(op)![rule] !== undefined).map(({ id }) => id); // prettier-ignore
  const contractions = having('contract');
  // A product and a sum are one contraction, once they are merged.
  const isContraction = joined !== undefined && knownOp(joined.op)!.contract !== undefined;
  if (isContraction || contractions.length > 0) return { kind: 'Einsum', contractions };
  const reductions = having('fold');
  if (reductions.length === 0) return { kind: 'ElementWise' };
  if (reductions.length > 1) return { kind: 'MultiReduction', reductions };
  const [reduction] = reductions;
  return { kind: reduction === members.at(-1)!.id ? 'Reduction' : 'ReductionElementWise', reduction };
}

/** Nodes of the longest chain. */
export function depthOf(members: readonly OpNode[]): number {
  const depths = new Map<NodeId, number>();
  for (const { id, inputs } of members)
    depths.set(id, inputs.reduce((deepest, input) => Math.max(deepest, depths.get(input) ?? 0), 0) + 1);
  return [...depths.values()].reduce((deepest, depth) => Math.max(deepest, depth), 0);
}
