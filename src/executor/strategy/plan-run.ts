/**
 * @file From a strategy to an operator: each field is one step, of operators that there are.
 */
import { map, type OperatorFunction } from 'rxjs';
import { environment, js, type Backend } from '../../backends/index.js';
import type { Graph } from '../../graph/graph.js';
import { givenShapes, inferTypes } from '../../graph/shapes.js';
import { isStatic } from '../../ops/dims.js';
import { inPrecision } from '../../passes/index.js';
import { memoryPool, type MemoryPool } from '../../plan/memory-pool.js';
import { cached, compile, jit, run, tensorCache, type Feeds, type Middleware, type Outputs, type RunOptions, type TensorCache } from '../../run/index.js'; // prettier-ignore
import { minimalPeak } from '../../run/minimal-peak.js';
import { runScheduled } from '../../stream/schedule/run-scheduled.js';
import { copyElements, type Tensor } from '../../tensor/tensor.js';
import { lazily } from './lazy.js';
import type { StrategyOptions } from './options.js';
import type { ExecutionMode, ExecutionStrategy } from './strategy.js';

/** What stays the same for all graphs of one strategy: who computes, and where results are kept. */
export interface Means {
  /** Undefined for the default one. */
  readonly backend: Backend | undefined;
  readonly pool: MemoryPool | undefined;
  readonly cache: TensorCache | undefined;
  readonly workers: number;
}

export interface PlannedRun {
  /** As it runs: in its precision, in its order, compiled. */
  readonly graph: Graph;
  readonly operator: OperatorFunction<Feeds, Outputs>;
}

/** `'hybrid'` is what the sizes of the graph make of it. */
export type Mode = Exclude<ExecutionMode, 'hybrid'>;

export function meansOf({ parallelism, memory }: ExecutionStrategy, mode: Mode, options: StrategyOptions): Means {
  const backend = options.run?.backend;
  return {
    backend: mode === 'eager' ? (backend ?? js({ kernels: 'interpret' })) : mode === 'jit' ? jit(backend, { ...sameBits(options), ...options.jit }) : backend, // prettier-ignore
    pool: memory === 'pooled' ? (options.pool ?? memoryPool()) : undefined,
    cache: memory === 'cached' ? (options.cache ?? tensorCache()) : undefined,
    workers: parallelism === 'auto' ? workersOf(options) : 1,
  };
}

function workersOf({ workers }: StrategyOptions): number {
  const { threads } = environment();
  return Math.min(workers ?? threads, threads);
}

/** Code of a jit is optimised as much as a graph that is compiled at once. */
const sameBits = ({ run: { level = 'standard' } = {} }: StrategyOptions) =>
  ({ initialLevel: level === 'none' ? 'none' : 'basic', hotLevel: level }) as const;

/** The graph itself, or in wider numbers. */
export const inPrecisionOf = (graph: Graph, { precision }: ExecutionStrategy): Graph =>
  precision === 'float64' ? inPrecision(graph, 'float64') : graph;

export function modeOf(graph: Graph, { mode }: ExecutionStrategy, { shapes = {} }: StrategyOptions): Mode {
  if (mode !== 'hybrid') return mode;
  const types = inferTypes(graph, givenShapes(graph, shapes));
  return types.every((type) => type === undefined || (type.dims !== undefined && isStatic(type.dims))) ? 'graph' : 'jit';
}

/** @param given in its precision @param use middleware, outermost */
export function planRun(
  given: Graph,
  strategy: ExecutionStrategy,
  mode: Mode,
  means: Means,
  options: StrategyOptions,
  use: readonly Middleware[] = [],
): PlannedRun {
  // prettier-ignore
  const { backend, cache, pool } = means;
  const level = mode === 'eager' ? 'none' : options.run?.level;
  const own: RunOptions = {
    ...options.run,
    ...(backend === undefined ? {} : { backend }),
    ...(level === undefined ? {} : { level }),
    ...(strategy.memory === 'standard' ? { placement: 'exactFit', inPlace: 'none' } : {}),
    use: [...use, ...(options.run?.use ?? []), ...(cache === undefined ? [] : [cached(cache)])],
  };
  const { shapes = {}, over } = options;
  const graph =
    strategy.memory === 'minimalPeak' ? minimalPeak(given, shapes, { backend, level, fallback: options.run?.fallback }) : given;
  const planned = started(graph);
  return pool === undefined ? planned : { ...planned, operator: (feeds$) => feeds$.pipe(planned.operator, map(lentBy(pool))) };

  function started(of: Graph): PlannedRun {
    // Whoever looks at results to copy them need not have copies.
    const outputs = pool === undefined ? 'copy' : 'borrow';
    if (over !== undefined) return { graph: of, operator: runScheduled(of, { over, shapes, workers: means.workers, run: own }) };
    if (mode === 'lazy') return { graph: of, operator: lazily(of, own) };
    if (mode !== 'graph') return { graph: of, operator: run(of, { ...own, outputs }) };
    const { level: compiledAt, fastMath, ...rest } = own;
    const compiled = compile(of, { level: compiledAt, fastMath, backend, use: own.use });
    return { graph: compiled, operator: run(compiled, { ...rest, outputs }) };
  }
}

/** Copies in memory of the pool: they are given back by whoever has read them. */
const lentBy =
  (pool: MemoryPool) =>
  (outputs: Outputs): Outputs => {
    const lent = Object.create(null) as Record<string, Tensor>;
    for (const [key, value] of Object.entries<Tensor>(outputs)) {
      const copy = pool.allocate(value.shape, value.dtype);
      copyElements(value, copy.buffer.array);
      lent[key] = copy;
    }
    return Object.freeze(lent);
  };
