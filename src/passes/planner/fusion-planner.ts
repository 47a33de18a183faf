/**
 * @file `fusionPlanner`: which nodes become one kernel, asked before, checked, and done.
 *
 * It grows no groups of its own: it runs the passes that join kernels at every level, within limits, and lets a strategy say no.
 */
import { EinstreamError, fault, type Diagnostic } from '../../errors/index.js';
import type { Graph, Names, NodeId, OpNode } from '../../graph/graph.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import { keptIds } from '../kept-ids.js';
import type { PassReport } from '../pass.js';
import { checkPlan } from './check-plan.js';
import { readConfig, type FusionConfig, type FusionLimits } from './config.js';
import { joinGroups } from './join-groups.js';
import type { FusionOpportunity } from './opportunity.js';
import { planned, type FusionPlan } from './plan.js';

/** A graph with joined nodes, and the record of it. */
export interface Fusion<I extends Names = Names, O extends Names = Names> {
  readonly graph: Graph<I, O>;
  readonly plan: FusionPlan;
  /** What each pass joined: `revert` takes it back. */
  readonly reports: readonly PassReport[];
}

/** Plans fusions, checks plans and carries them out, all with one configuration. */
export interface FusionPlanner {
  /** All that could be joined within the limits, whatever the strategy. */
  findFusionOpportunities(graph: Graph): readonly FusionOpportunity[];
  /** What the strategy joins. */
  plan(graph: Graph): FusionPlan;
  /** Everything that is wrong with a plan for a graph; empty for those that `plan` made, and for some of their groups. */
  validate(graph: Graph, plan: Pick<FusionPlan, 'opportunities'>): Diagnostic[];
  /** Joins what the plan says: the strategy's own, where none is given. */
  fuse<I extends Names, O extends Names>(graph: Graph<I, O>, plan?: FusionPlan): Fusion<I, O>;
}

/**
 * A planner of fusions.
 *
 * ```ts
 * const g = graph({ x: input([64, 64]) }, ({ x }) => ({ y: relu(neg(exp(x))), z: sum(abs(x)) }));
 * const planner = fusionPlanner({ strategy: 'conservative' });
 * const plan = planner.plan(g);
 * plan.opportunities.map(({ kind, nodes }) => [kind, nodes.length]); // => [['ElementWise', 3], ['Reduction', 2]]
 * const some = { ...plan, opportunities: plan.opportunities.slice(0, 1) };
 * planner.validate(g, some); // => []
 * [nodeCount(g), nodeCount(planner.fuse(g, some).graph), nodeCount(planner.fuse(g).graph)] // => [6, 4, 3]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a configuration that makes no sense; from its methods: the first fault of a broken graph, or of
 *   a plan, and E_ARGUMENT for a plan with groups that no pass joins
 */
export function fusionPlanner(config: FusionConfig = {}): FusionPlanner {
  const read = readConfig(config);
  const { patterns: _all, ...limits } = read;
  return {
    findFusionOpportunities: (graph) => planned(graph, { ...limits, strategy: 'aggressive' }).plan.opportunities,
    plan: (graph) => planned(graph, read).plan,
    validate(graph, plan) {
      throwIfBroken(graph);
      return checkPlan(graph, plan, read);
    },
    fuse<I extends Names, O extends Names>(graph: Graph<I, O>, plan?: FusionPlan): Fusion<I, O> {
      if (plan !== undefined) return carriedOut(graph, plan, read) as Fusion<I, O>;
      const { plan: own, joined } = planned(graph, read);
      return { graph: joined.graph as Graph<I, O>, plan: own, reports: joined.reports };
    },
  };
}

/**
 * All that one kernel could compute, of the nodes of a graph as it is: groups that do not overlap, in order of their last nodes.
 *
 * ```ts
 * const g = graph({ x: input([64, 64]) }, ({ x }) => ({ y: relu(neg(exp(x))) }));
 * findFusionOpportunities(g).map(({ kind, nodes, patterns }) => [kind, nodes, patterns]) // => [['ElementWise', [1, 2, 3], ['ElementwiseChain']]]
 * findFusionOpportunities(g, { maxDepth: 2 }).map(({ nodes }) => nodes) // => [[2, 3]]
 * ```
 *
 * @throws EinstreamError as `fusionPlanner`
 */
export const findFusionOpportunities = (graph: Graph, limits: FusionLimits = {}): readonly FusionOpportunity[] =>
  fusionPlanner(limits).findFusionOpportunities(graph);

/**
 * Joins nodes of a graph as a strategy chooses. Ids and names keep their meaning; outputs, gradients and kept values stay.
 *
 * ```ts
 * const g = graph({ x: input([64, 64]) }, ({ x }) => ({ y: relu(neg(exp(x))), z: relu(matmul(x, x)) }));
 * const count = (strategy: FusionStrategy) => nodeCount(fuse(g, { strategy }).graph);
 * [nodeCount(g), count('conservative'), count('aggressive')] // => [6, 4, 3]
 * ```
 *
 * @throws EinstreamError as `fusionPlanner`
 */
export const fuse = <I extends Names, O extends Names>(graph: Graph<I, O>, config: FusionConfig = {}): Fusion<I, O> =>
  fusionPlanner(config).fuse(graph);

function carriedOut(graph: Graph, plan: FusionPlan, read: ReturnType<typeof readConfig>): Fusion {
  throwIfBroken(graph);
  const [first, ...others] = checkPlan(graph, plan, read);
  if (first !== undefined) throw new EinstreamError({ ...first, related: others });
  const groupOf = new Map(plan.opportunities.flatMap(({ nodes }, at) => nodes.map((id) => [id, at] as const)));
  // A product and a sum may be merged, or fused as a fold: the plan says which.
  const isPlanned = ([id, ...rest]: readonly NodeId[], joined: OpNode | undefined): boolean => {
    const at = groupOf.get(id);
    return at !== undefined && rest.every((each) => groupOf.get(each) === at) && (joined === undefined || plan.opportunities[at].kind === 'Einsum'); // prettier-ignore
  };
  const limits = { ...read, strategy: 'aggressive', keep: keptIds(graph, read.keep) } as const;
  const joined = joinGroups(graph, limits, isPlanned);
  const made = new Set(joined.groups.map((nodes) => nodes.join()));
  const missing = plan.opportunities.findIndex(({ nodes }) => !made.has(nodes.join()));
  if (missing >= 0)
    throw fault('E_ARGUMENT', {
      place: `opportunities[${missing}]`,
      rule: 'a group is one that a pass joins, as `findFusionOpportunities` gives them, in order of execution',
      actual: `nodes ${plan.opportunities[missing].nodes.slice(0, 8).join(', ')}`,
    });
  return { graph: joined.graph, plan, reports: joined.reports };
}
