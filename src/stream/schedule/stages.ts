/**
 * @file From a graph to stages: what this thread computes, and what is worth the way to others, at the same time.
 */
import type { Graph, NodeId } from '../../graph/graph.js';
import { totalOf } from '../../plan/cost.js';
import { kernelTime, type FusionCostModel } from '../../plan/fusionCosts.js';
import { chains, asNodes } from '../../plan/schedule/chains.js';
import { longestFirst } from '../../plan/schedule/groups.js';
import { workOf, type Work } from '../../plan/schedule/work.js';
import type { Dims } from '../../ops/dims.js';

/** What work and ways cost, in nanoseconds. */
export interface CostModel {
  /** A scalar operation, whatever it is; by default `KERNEL_COSTS` of the backend say what each kernel takes. */
  readonly perOperation?: number;
  /** Asking somebody else, and being answered: for each task. */
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
  /** How many nanoseconds it should take where it runs, ways included, and how many if all of it ran here. */
  readonly estimate: { readonly taken: number; readonly here: number };
}

/** Times as fast that a stage must be elsewhere: less is within what other work on the machine takes away. */
const GAIN = 1.25;

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
  kernels: FusionCostModel,
): readonly ScheduledStage[] {
  const { perOperation, perRequest } = model;
  const work = workOf(graph, shapes, (own) => perOperation === undefined ? kernelTime(own, kernels) : perOperation * totalOf(own.operations)); // prettier-ignore
  const chained = chains(work);
  const nodes = asNodes(chained, work);
  // A task that takes no longer than asking for it has no company to look for.
  const groups = longestFirst(nodes, workers, perRequest);
  const stages: ScheduledStage[] = [];
  for (const group of groups) {
    const tasks = group.map((at) => chained[at].map((number) => work.ids[number]));
    const own = group.map((at) => nodes.costs[at]);
    const here = own.reduce((sum, each) => sum + each, 0);
    const there = Math.max(...own) + group.length * perRequest + movedBytes(group, chained, work) * model.perByte;
    const last = stages.at(-1);
    if (group.length > 1 && there * GAIN <= here) stages.push({ at: 'there', tasks, estimate: { taken: there, here } });
    else if (last?.at === 'here') stages[stages.length - 1] = joined(last, tasks.flat(), here);
    else stages.push({ at: 'here', tasks: [tasks.flat()], estimate: { taken: here, here } });
  }
  return stages;
}

const joined = ({ tasks: [task], estimate }: ScheduledStage, further: Task, cost: number): ScheduledStage => ({
  at: 'here',
  tasks: [[...task, ...further]],
  estimate: { taken: estimate.taken + cost, here: estimate.here + cost },
});

/** Bytes that chains read of others, and that others read of them, each value once a chain. */
function movedBytes(
  group: readonly number[],
  chained: readonly (readonly number[])[],
  { before, after, sizes, fed }: Work,
): number {
  let moved = 0;
  for (const at of group) {
    const chain = chained[at];
    const inside = new Set(chain);
    const isRead = (number: number): boolean => after[number].length === 0 || after[number].some((other) => !inside.has(other));
    for (const size of new Map(chain.flatMap((number) => [...fed[number]])).values()) moved += size;
    for (const other of new Set(chain.flatMap((number) => before[number]))) if (!inside.has(other)) moved += sizes[other];
    for (const number of chain) if (isRead(number)) moved += sizes[number];
  }
  return moved;
}
