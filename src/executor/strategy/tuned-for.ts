/**
 * @file `tunedFor`: a strategy changed towards a goal, with a reason for each change.
 */
import { describeValue, fault } from '../../errors/index.js';
import { isOpNode, nodesOf, type Graph } from '../../graph/graph.js';
import { givenShapes, inferTypes } from '../../graph/shapes.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import { isStatic, type Dims } from '../../ops/dims.js';
import { schedule } from '../../plan/schedule/schedule.js';
import { checkKnown } from '../../stream/options.js';
import type { StrategyPreset } from './presets.js';
import { executionStrategy, type ExecutionStrategy } from './strategy.js';
import { TUNING, type Case } from './tuning.js';

/** What a strategy is tuned for. */
export type StrategyGoal = 'throughput' | 'latency' | 'memory';

/** Under which conditions the graph will run. */
export interface Situation {
  /** Rows of a feed. */
  readonly batchSize?: number;
  /** Share of the memory that is taken, 0 to 1. */
  readonly memoryPressure?: number;
  /** Threads that a pool has; 1, which is no pool, by default. */
  readonly workers?: number;
  /** Sizes of inputs by name, where the graph leaves them open. */
  readonly shapes?: Readonly<Record<string, Dims>>;
}

/** One field that changed, and why. */
export interface StrategyChange {
  readonly field: keyof ExecutionStrategy;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** A tuned strategy, and all that changed. */
export interface TunedStrategy {
  readonly strategy: ExecutionStrategy;
  readonly changes: readonly StrategyChange[];
}

/**
 * A strategy tuned for a goal, and why: the first rules are for memory that is short (pressure above 0.8), which leads to checkpointed
 * gradients, the next for large batches (64 or more), which leads to accumulated ones; then come mode, memory and parallelism. A strategy
 * without gradients gets none. Precision stays, as it is part of the values. Nothing runs, and what is tuned again stays as it is.
 *
 * ```ts
 * const g = graph({ x: input([128, 4]), w: param(ones([4])) }, ({ x, w }) => ({ y: sum(einsum('nk,k->n', x, w)) }));
 * const { strategy, changes } = tunedFor('throughput', g, { mode: 'jit', gradient: 'full' }, { batchSize: 128 });
 * [strategy.mode, strategy.gradient] // => ['graph', { accumulated: { steps: 4 } }]
 * changes[0].reason // => 'a batch of 128 is 64 or more: it is learnt from in parts of 32'
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a goal or situation that makes no sense, and as `executionStrategy`; the first fault of a broken
 *   graph
 */
export function tunedFor(
  goal: StrategyGoal,
  graph: Graph,
  strategy: StrategyPreset | Partial<ExecutionStrategy>,
  situation: Situation = {},
): TunedStrategy {
  if (goal !== 'throughput' && goal !== 'latency' && goal !== 'memory')
    throw wrong('goal', "a goal is 'throughput', 'latency' or 'memory'", goal);
  const at = caseOf(goal, graph, situation);
  let now = executionStrategy(strategy);
  const changes: StrategyChange[] = [];
  for (const [applies, change, reason] of TUNING) {
    if (!applies(now, at)) continue;
    const next = executionStrategy({ ...now, ...change(at) });
    const field = Object.keys(change(at))[0] as keyof ExecutionStrategy;
    changes.push(Object.freeze({ field, from: textOf(now[field]), to: textOf(next[field]), reason: reason(at) }));
    now = next;
  }
  return Object.freeze({ strategy: now, changes: Object.freeze(changes) });
}

/**
 * `tunedFor` with the goal `'throughput'`.
 *
 * ```ts
 * const g = graph({ x: input(['n']) }, ({ x }) => ({ y: exp(x) }));
 * optimizeForThroughput(g, {}).changes.map(({ field, from, to }) => [field, from, to]) // => [['mode', 'graph', 'hybrid']]
 * ```
 *
 * @throws EinstreamError as `tunedFor`
 */
export const optimizeForThroughput = (
  graph: Graph,
  strategy: StrategyPreset | Partial<ExecutionStrategy>,
  situation?: Situation,
): TunedStrategy => tunedFor('throughput', graph, strategy, situation);

function caseOf(goal: StrategyGoal, graph: Graph, situation: Situation): Case {
  checkKnown('situation', situation, ['batchSize', 'memoryPressure', 'workers', 'shapes']);
  const { batchSize = 1, memoryPressure = 0, workers = 1, shapes = {} } = situation;
  if (!Number.isSafeInteger(batchSize) || batchSize < 1) throw wrong('batchSize', 'it is an integer ≥ 1', batchSize);
  if (!Number.isSafeInteger(workers) || workers < 1) throw wrong('workers', 'it is an integer ≥ 1', workers);
  if (!(memoryPressure >= 0 && memoryPressure <= 1)) throw wrong('memoryPressure', 'it is a share, 0 to 1', memoryPressure);
  throwIfBroken(graph);
  const types = inferTypes(graph, givenShapes(graph, shapes));
  const isSized = types.every(
    (type) => type === undefined || (type.dtype !== undefined && type.dims !== undefined && isStatic(type.dims)),
  );
  const groups = isSized && workers > 1 ? schedule(graph, { strategy: 'parallel', shapes }).parallelGroups : [];
  return {
    ...{ goal, pressure: memoryPressure, batchSize, workers, isSized },
    count: [...nodesOf(graph)].filter(isOpNode).length,
    width: groups.reduce((most, { length }) => Math.max(most, length), 1),
  };
}

const textOf = (value: ExecutionStrategy[keyof ExecutionStrategy]): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const wrong = (place: string, rule: string, actual: unknown) =>
  fault('E_ARGUMENT', { place, rule, actual: describeValue(actual) });
