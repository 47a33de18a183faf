/**
 * @file `schedule`: in which order the nodes of a graph run, and which of them at the same time.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { Graph } from '../../graph/graph.js';
import { byLevel, evenedOut, longestFirst, ways } from './groups.js';
import { oneByOne } from './levels.js';
import { fewestBytes, peakOf } from './memory.js';
import type { CriticalPath, Schedule, ScheduleOptions, SchedulingStrategy } from './types.js';
import { workOf, type Work } from './work.js';

const STRATEGIES: Readonly<
  Record<SchedulingStrategy, (work: Work, workers: number, threshold: number) => readonly (readonly number[])[]>
> = {
  sequential: (work) => oneByOne([...work.ids.keys()]),
  parallel: byLevel,
  costBased: longestFirst,
  minimizeMemory: (work) => oneByOne(fewestBytes(work, [...work.ids.keys()])),
  balanced: evenedOut,
};

/**
 * Schedules the nodes of a graph as it is given: `compile` it first to schedule what passes make of it.
 *
 * ```ts
 * const g = graph({ x: input([64, 64]) }, ({ x }) => ({ y: add(matmul(x, x), matmul(x, relu(x))) }));
 * schedule(g).parallelGroups // => [[1], [2], [3], [4]]
 * schedule(g, { strategy: 'parallel' }).parallelGroups // => [[1, 2], [3], [4]]
 * schedule(g, { strategy: 'costBased', costThreshold: 1000, workers: 2 }).criticalPath.nodes // => [2, 3, 4]
 * ```
 *
 * @throws EinstreamError E_SHAPE where sizes are not known; E_ARGUMENT for wrong options; E_CYCLE with a path, and whatever else
 *   `validate` finds
 */
export function schedule(graph: Graph, options: ScheduleOptions = {}): Schedule {
  const { strategy = 'sequential', shapes, costThreshold = 1000, workers = 4 } = options;
  const group = Object.hasOwn(STRATEGIES, strategy) ? STRATEGIES[strategy] : undefined;
  if (group === undefined) throw wrong('strategy', Object.keys(STRATEGIES).join(', '), strategy);
  if (!(costThreshold >= 0)) throw wrong('costThreshold', 'a number of operations ≥ 0', costThreshold);
  if (!Number.isSafeInteger(workers) || workers < 1) throw wrong('workers', 'an integer ≥ 1', workers);
  const work = workOf(graph, shapes);
  const groups = group(work, workers, costThreshold);
  const order = groups.flat();
  const idsOf = (numbers: readonly number[]): readonly number[] => Object.freeze(numbers.map((at) => work.ids[at]));
  return Object.freeze({
    strategy,
    nodeOrder: idsOf(order),
    parallelGroups: Object.freeze(groups.map(idsOf)),
    estimatedCost: groups.reduce((sum, each) => sum + sharedCost(each.map((at) => work.costs[at]), workers), 0), // prettier-ignore
    criticalPath: criticalPath(work),
    peakBytes: peakOf(work, order),
  });
}

/** No less than the dearest, and than an even share. */
const sharedCost = (costs: readonly number[], workers: number): number =>
  Math.max(costs.reduce((sum, cost) => sum + cost, 0) / Math.min(workers, costs.length), costs.reduce((most, cost) => Math.max(most, cost), 0)); // prettier-ignore

function criticalPath(work: Work): CriticalPath {
  const way = ways(work);
  const longest = (among: Iterable<number>): number | undefined => {
    let best: number | undefined;
    for (const at of among) if (best === undefined || way[at] > way[best]) best = at;
    return best;
  };
  const nodes: number[] = [];
  const first = longest(work.ids.keys());
  for (let at = first; at !== undefined; at = longest(work.after[at])) nodes.push(work.ids[at]);
  return Object.freeze({ nodes: Object.freeze(nodes), cost: first === undefined ? 0 : way[first] });
}

const wrong = (option: string, expected: string, actual: unknown) =>
  fault('E_ARGUMENT', { place: option, rule: `${option} has fixed values`, expected, actual: describeValue(actual) });
