/**
 * @file Which groups a strategy joins.
 */
import type { Graph, NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import type { ReadConfig } from './config.js';
import { savesMemory } from './live-bytes.js';
import type { FusionOpportunity } from './opportunity.js';

/** What a group saves at least where only what is sure to pay is joined. */
const SURE = 1 / 3;

/** Asked for each group that passes would join. */
export function choiceOf(
  { strategy, minBenefit, patterns }: ReadConfig,
  graph: Graph,
  types: readonly (ValueType | undefined)[],
): (group: FusionOpportunity) => boolean {
  const isWanted = (group: FusionOpportunity): boolean => patterns === undefined || group.patterns.some((each) => patterns.includes(each)); // prettier-ignore
  const least = strategy === 'aggressive' ? 0 : strategy === 'conservative' ? Math.max(minBenefit, SURE) : minBenefit;
  const saves: (nodes: readonly NodeId[]) => boolean = strategy === 'memoryAware' ? savesMemory(graph, types) : () => true;
  return (group) => group.benefit >= least && isWanted(group) && saves(group.nodes);
}
