/**
 * @file A plan: which nodes of a graph become one kernel, and what that saves.
 */
import { throwIfBroken } from '../../graph/validate/validate.js';
import { givenShapes } from '../../graph/shapes.js';
import { findNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import { guessedTypes } from '../estimate.js';
import { graphCost } from '../graph-cost.js';
import { keptIds } from '../kept-ids.js';
import { choiceOf } from './choose.js';
import type { ReadConfig } from './config.js';
import { joinGroups, type Joined } from './join-groups.js';
import { opportunityOf, type FusionOpportunity } from './opportunity.js';

/** Groups of nodes, none of which overlap, and their costs in the unit of the cost model. */
export interface FusionPlan {
  readonly opportunities: readonly FusionOpportunity[];
  /** The whole graph as it is. */
  readonly separate: number;
  /** The whole graph with the groups joined. */
  readonly fused: number;
  /** Share of the cost that is saved, from 0 to 1. */
  readonly benefit: number;
}

/** What passes would join within the limits of a configuration, as its strategy chooses. */
export function planned(graph: Graph, config: ReadConfig): { readonly plan: FusionPlan; readonly joined: Joined } {
  throwIfBroken(graph);
  const types = guessedTypes(graph, givenShapes(graph, config.shapes));
  const limits = { ...config, keep: keptIds(graph, config.keep) };
  const isChosen = choiceOf(config, graph, types);
  const seen = (nodes: readonly NodeId[], node?: OpNode): FusionOpportunity =>
    opportunityOf(graph, nodes, types, config.costs, node);
  const joined = joinGroups(graph, limits, (nodes, node) => isChosen(seen(nodes, node)));
  const done = joined.groups.map((nodes) => seen(nodes, findNode(joined.graph, nodes.at(-1)!) as OpNode));
  return { plan: planOf(done, graphCost(graph, types, config.costs).time), joined };
}

function planOf(opportunities: readonly FusionOpportunity[], separate: number): FusionPlan {
  const fused = opportunities.reduce((time, { cost }) => time - (cost.separate - cost.fused), separate);
  return { opportunities, separate, fused, benefit: separate === 0 ? 0 : (separate - fused) / separate };
}
