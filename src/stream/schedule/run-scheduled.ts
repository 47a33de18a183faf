/**
 * @file `runScheduled`: independent parts of one graph at the same time, where that pays.
 */
import { concatMap, defer, map, of, type Observable, type OperatorFunction } from 'rxjs';
import { environment } from '../../backends/index.js';
import { describeValue, fault } from '../../errors/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import type { Dims } from '../../ops/dims.js';
import type { Feeds, Outputs } from '../../run/feeds.js';
import { defaultBackend } from '../../run/default-backend.js';
import type { RunOptions } from '../../run/options.js';
import { outputKeys } from '../../run/output-keys.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Runner } from '../batch/parallel.js';
import { readCount } from '../demand/bounds.js';
import { inOrder, noLoad } from '../demand/in-order.js';
import { checkKnown } from '../options.js';
import { kernelCosts } from '../../plan/kernelCosts.js';
import { run } from '../../run/run.js';
import { planOf } from '../pool/plan.js';
import { applyPasses, fusionLimits, LEVELS } from '../../passes/index.js';
import { stagesOf, type CostModel, type ScheduledStage } from './stages.js';
import { stepsOf } from './steps.js';
import { givenValues, type Values } from './values.js';

/** Who computes, and what it is held to cost. */
export interface ScheduledOptions {
  /** Who computes the parts that are worth the way: a pool, or anything that runs graphs on streams. */
  readonly over: Runner;
  /** Shapes of inputs by name, where the graph leaves them open: typical ones, as feeds of others run too. */
  readonly shapes?: Readonly<Record<string, Dims>>;
  /** Parts at the same time; by default as many as there are processors. */
  readonly workers?: number;
  /** Feeds at the same time; 1 by default. */
  readonly concurrency?: number;
  /** What work and ways cost, in nanoseconds. */
  readonly cost?: Partial<CostModel>;
  /** How the parts that stay run. */
  readonly run?: RunOptions;
  /** Told once, which parts run where. */
  readonly onPlan?: (stages: readonly ScheduledStage[]) => void;
}

/** Threads of one machine (Node 20, AMD EPYC): a message and its answer, and a copy on the way: see `npm run bench -- --schedule`. */
const COST: CostModel = { perRequest: 75_000, perByte: 0.15 };

const PLACE = 'runScheduled';

/**
 * Runs a graph in parts: chains of nodes that do not wait for one another go to other threads at the same time, where the cost model says that it
 * saves more than the way costs; the rest runs here. Outputs come in the order of feeds, and are those of `run`.
 *
 * ```ts
 * const g = graph({ x: input([64, 64]) }, ({ x }) => ({ a: matmul(matmul(x, x), x), b: matmul(x, relu(x)) }));
 * const pool = await executorPool({ workers: 2 });
 * const places = [];
 * const apart = runScheduled(g, { over: pool, workers: 2, cost: { perRequest: 1000, perByte: 0 }, onPlan: (stages) => stages.forEach(({ at, tasks }) => places.push([at, tasks.length])) });
 * of({ x: eye(64) }).pipe(apart, map(({ a, b }) => sum(add(a, b)).toArray())) // => [128]
 * places // => [['there', 2]]
 * await pool.close()
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options; E_SHAPE where sizes are not known; the first fault of a broken graph
 */
export function runScheduled<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  options: ScheduledOptions,
): OperatorFunction<Feeds<I>, Outputs<O>> {
  checkKnown(PLACE, options, ['over', 'shapes', 'workers', 'concurrency', 'cost', 'run', 'onPlan']);
  const { over, shapes, concurrency = 1 } = options;
  if (typeof over?.run !== 'function')
    throw fault('E_ARGUMENT', { place: PLACE, rule: 'over is something with run(graph)', actual: describeValue(over) });
  const workers = readCount(PLACE, 'workers', options.workers ?? environment().threads);
  const most = readCount(PLACE, 'concurrency', concurrency);
  const plan = planOf(graph);
  const whole = fused(graph);
  const kernels = kernelCosts((options.run?.backend ?? defaultBackend()).name);
  const stages = stagesOf(whole, shapes, workers, readCost(options.cost), kernels);
  options.onPlan?.(stages);
  // With nothing to hand out there is nothing to hand over.
  if (stages.every(({ at }) => at === 'here')) return run(graph, options.run);
  const steps = stepsOf(whole, stages, over, options.run);
  const kept = outputKeys(whole.outputs);
  const work = (feeds: Feeds): Observable<Outputs> =>
    defer(() => {
      let values$: Observable<Values> = of(givenValues(whole, plan.workFor(feeds).feeds));
      for (const step of steps) values$ = values$.pipe(concatMap(step));
      return values$.pipe(map((values) => named(kept, values)));
    });
  return (feeds$) => defer(() => feeds$.pipe(inOrder(work, most, noLoad()))) as Observable<Outputs<O>>;
}

/** What belongs together is not cut. */
function fused(graph: Graph): Graph {
  throwIfBroken(graph);
  return applyPasses(graph, LEVELS.standard, { ...fusionLimits(defaultBackend().capabilities), keep: [] }).graph;
}

function named(kept: ReturnType<typeof outputKeys>, values: Values): Outputs {
  const outputs = Object.create(null) as Record<string, Tensor>;
  for (const { key, id } of kept) outputs[key] = values.get(id)!;
  return outputs;
}

function readCost(given: Partial<CostModel> = {}): CostModel {
  checkKnown(PLACE, given, ['perOperation', 'perRequest', 'perByte']);
  const cost = { ...COST, ...given };
  for (const [name, value] of Object.entries(cost))
    if (!(value >= 0) || (name === 'perOperation' && value === 0))
      throw fault('E_ARGUMENT', { place: PLACE, rule: `cost.${name} is a number of nanoseconds`, actual: describeValue(value) });
  return cost;
}
