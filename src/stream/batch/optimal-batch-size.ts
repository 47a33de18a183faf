/**
 * @file `optimalBatchSize`: how many items a batch should have, from what they cost and what memory there is.
 */
import { describeValue, fault, quoted } from '../../errors/index.js';
import { nameOf, nodesOf, type Graph, type InputNode, type Names } from '../../graph/graph.js';
import { zeros } from '../../tensor/index.js';
import { evaluate } from '../../run/evaluate.js';
import type { Feeds } from '../../run/feeds.js';
import type { RunOptions } from '../../run/options.js';
import { readCount } from '../demand/bounds.js';
import { bytesOf } from '../demand/size-of.js';
import { mergeResults } from '../chunk/rows.js';
import { workspaceOf } from '../chunk/workspace.js';
import { checkFunction, checkKnown } from '../options.js';
import { reasonAgainst } from './rowwise.js';

/** What a batch may use, and how it is measured. */
export interface BatchSizeOptions<F extends Feeds = Feeds> {
  /** Bytes that a batch may hold at once: feeds, intermediate values and outputs. 256 MiB by default. */
  readonly memoryBudget?: number;
  /** An item to measure with; by default zeros of the declared shapes, which must be static behind the axis of rows. */
  readonly item?: F;
  /** The largest size that is tried, an integer ≥ 1; 1,024 by default. */
  readonly most?: number;
  /** How the graph runs: backend, level. */
  readonly run?: RunOptions;
  /** Milliseconds, from any start; `performance.now` by default. */
  readonly clock?: () => number;
}

const PLACE = 'optimalBatchSize';
/** A size is good enough that costs no more than this share above the best. */
const CLOSE = 1.05;
const TRIES = 3;

/** Milliseconds an item by batch size, so that later calls with other budgets see the same figures. */
const known = new WeakMap<Graph, Map<string, Map<number, number>>>();

/**
 * The number of items for batches of `vectorized`: the smallest of 1, 2, 4, … that fits into the memory budget and costs at most 5 % more
 * time an item than the best that does. It is measured, on this machine, once for each graph, item and backend; memory is what the plan
 * says. A larger budget never gives a smaller size. At least 1, also when one item is above the budget, and 1 for graphs that work across rows.
 *
 * ```ts
 * const g = graph({ x: input(['n', 4]) }, ({ x }) => ({ y: relu(x) }));
 * await optimalBatchSize(g, { memoryBudget: 32 }); // => 1
 * ```
 *
 * @returns a promise that rejects with E_ARGUMENT for wrong options, or a shape that is not known
 */
export async function optimalBatchSize<I extends Names>(
  graph: Graph<I>,
  options: BatchSizeOptions<Feeds<I>> = {},
): Promise<number> {
  checkKnown(PLACE, options, ['memoryBudget', 'item', 'most', 'run', 'clock']);
  const { memoryBudget = 256 * 2 ** 20, item, run = {}, clock } = options;
  if (!(typeof memoryBudget === 'number' && memoryBudget > 0))
    throw fault('E_ARGUMENT', {
      place: PLACE,
      rule: 'memoryBudget must be a number of bytes above 0',
      actual: describeValue(memoryBudget),
    });
  const most = readCount(PLACE, 'most', options.most ?? 1024);
  if (clock !== undefined) checkFunction(PLACE, 'clock', clock);
  if (reasonAgainst(graph) !== undefined) return 1;
  const one = item ?? sampleOf(graph);
  const costs = clock === undefined && run.use === undefined ? rememberedOf(graph, one, run) : new Map<number, number>();
  const fitting: { readonly size: number; readonly cost: number }[] = [];
  for (let size = 1; size <= most; size *= 2) {
    const feeds = mergeResults(Array.from({ length: size }, () => one)) as Feeds<I>;
    if (size > 1 && bytesOf(feeds) + workspaceOf(graph, feeds, run) > memoryBudget) break;
    if (!costs.has(size)) costs.set(size, (await timeOf(graph, feeds, run, clock ?? (() => performance.now()))) / size);
    fitting.push({ size, cost: costs.get(size)! });
  }
  const best = Math.min(...fitting.map(({ cost }) => cost));
  return fitting.find(({ cost }) => cost <= best * CLOSE)!.size;
}

/** The least of a few runs: the first one also compiles. */
async function timeOf<I extends Names>(graph: Graph<I>, feeds: Feeds<I>, run: RunOptions, clock: () => number): Promise<number> {
  await evaluate(graph, feeds, run);
  let least = Infinity;
  for (let time = 0; time < TRIES; time++) {
    const from = clock();
    await evaluate(graph, feeds, run);
    least = Math.min(least, clock() - from);
  }
  return Math.max(0, least);
}

function rememberedOf(
  graph: Graph,
  item: Feeds,
  { backend, level, fallback, inPlace, fastMath }: RunOptions,
): Map<number, number> {
  const shapes = Object.entries(item).map(([name, feed]) => [name, bytesOf(feed)]);
  const key = JSON.stringify([shapes, backend?.name, level, fallback, inPlace, fastMath]);
  let byKey = known.get(graph);
  if (byKey === undefined) known.set(graph, (byKey = new Map()));
  let costs = byKey.get(key);
  if (costs === undefined) byKey.set(key, (costs = new Map()));
  return costs;
}

/** One row of zeros for each input. */
function sampleOf(graph: Graph): Feeds {
  const inputs = [...nodesOf(graph)].filter((node): node is InputNode => node.op === 'input');
  return Object.fromEntries(
    inputs.map((node) => {
      const [, ...rest] = node.dims!; // `reasonAgainst` has found rows
      const shape = rest.map((dim) => {
        if (typeof dim === 'number') return dim;
        throw fault('E_ARGUMENT', { place: PLACE, rule: 'the shape of an item must be known', actual: `${quoted(nameOf(node))} leaves a size open`, hint: 'give one to measure with: { item }' }); // prettier-ignore
      });
      return [nameOf(node), zeros([1, ...shape], { dtype: node.dtype ?? 'float32' })];
    }),
  );
}
