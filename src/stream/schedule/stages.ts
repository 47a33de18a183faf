/**
 * @file From a graph to stages: what this thread computes, and what is worth the way to others, at the same time.
 */
import type { Graph, NodeId } from '../../graph/graph.js';
import { chains, asNodes } from '../../plan/schedule/chains.js';
import { longestFirst } from '../../plan/schedule/groups.js';
import { workOf, type Work } from '../../plan/schedule/work.js';
import type { Dims } from '../../ops/dims.js';

/** What work and ways cost, in nanoseconds. */
export interface CostModel {
  /** A scalar operation. */
  readonly perOperation: number;
  /** Asking somebody else, and being answered. */
  readonly perRequest: number;
  /** A byte that goes there or comes back. */
  readonly perByte: number;
}

/** Nodes that one executor computes at a stretch, in order. */
export type Task = readonly NodeId[];

/** Tasks that wait for earlier stages alone. */
export interface ScheduledStage {
  readonly at: 'here' | 'there';
  readonly tasks: readonly Task[];
}

/**
 * Chains of nodes, several at a time where that saves time, those on the longest way first; what is not worth the way stays here, and is joined.
 *
 * @throws EinstreamError E_SHAPE where sizes are not known
 */
export function stagesOf(
  graph: Graph,
  shapes: Readonly<Record<string, Dims>> | undefined,
  workers: number,
  model: CostModel,
): readonly ScheduledStage[] {
  const work = workOf(graph, shapes);
  const chained = chains(work);
  const nodes = asNodes(chained, work);
  // A task that takes no longer than asking for it has no company to look for.
  const groups = longestFirst(nodes, workers, model.perRequest / model.perOperation);
  const stages: { at: ScheduledStage['at']; tasks: NodeId[][] }[] = [];
  for (const group of groups) {
    const tasks = group.map((at) => chained[at].map((number) => work.ids[number]));
    const last = stages.at(-1);
    if (pays(group, chained, work, nodes.costs, model)) stages.push({ at: 'there', tasks });
    else if (last?.at === 'here') last.tasks[0].push(...tasks.flat());
    else stages.push({ at: 'here', tasks: [tasks.flat()] });
  }
  return stages;
}

/** Whether what others do at the same time is more than the ways to them. */
function pays(
  group: readonly number[],
  chained: readonly (readonly number[])[],
  { before, after, bytes, fed }: Work,
  costs: Float64Array,
  { perOperation, perRequest, perByte }: CostModel,
): boolean {
  if (group.length < 2) return false;
  let moved = 0;
  for (const at of group) {
    const inside = new Set(chained[at]);
    const read = new Set(chained[at].flatMap((number) => before[number].filter((other) => !inside.has(other))));
    for (const other of read) moved += bytes[other];
    for (const number of inside) moved += fed[number];
    for (const number of inside) if (after[number].length === 0 || after[number].some((other) => !inside.has(other))) moved += bytes[number]; // prettier-ignore
  }
  const own = group.map((at) => costs[at] * perOperation);
  const saved = own.reduce((sum, each) => sum + each, 0) - Math.max(...own);
  return saved > perRequest + moved * perByte;
}
