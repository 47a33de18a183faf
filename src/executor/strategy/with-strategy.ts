/**
 * @file `withStrategy`: a graph as a strategy computes it, and its gradients.
 */
import { of, pipe, type OperatorFunction } from 'rxjs';
import { fault } from '../../errors/index.js';
import { gradient, type GradientOptions } from '../../autodiff/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import type { MemoryPool } from '../../plan/memory-pool.js';
import { cancellable, type Cancellable } from '../../run/cancellable.js';
import { compiledOf } from '../../run/compiled.js';
import { backpropagate, taping, type Feeds, type Outputs, type TensorCache } from '../../run/index.js';
import { accumulate } from '../../train/accumulate.js';
import { checkOptions, type StrategyOptions } from './options.js';
import { inPrecisionOf, meansOf, modeOf, planRun, type Means, type Mode } from './plan-run.js';
import { executionStrategy, type ExecutionStrategy } from './strategy.js';
import type { StrategyPreset } from './presets.js';

/** A graph ready to run, as a strategy says: on a stream, or once. */
export interface StrategyRun<I extends Names = Names, O extends Names = Names> {
  /** As it runs: in its precision, in its order, compiled where it was. */
  readonly graph: Graph<I, O>;
  /** An operator, as `run(graph)` is. */
  run(): OperatorFunction<Feeds<I>, Outputs<O>>;
  /** One answer for one feed. The work begins at the call. */
  evaluate(feeds: Feeds<I>, options?: { readonly signal?: AbortSignal }): Cancellable<Outputs<O>>;
}

/** A graph under a strategy. */
export interface Strategised<I extends Names = Names, O extends Names = Names> extends StrategyRun<I, O> {
  readonly strategy: ExecutionStrategy;
  /** What computes it: `'hybrid'` is `'graph'` or `'jit'`. */
  readonly mode: Mode;
  /** `memory: 'pooled'`: where outputs lie until they are given back. */
  readonly pool: MemoryPool | undefined;
  /** `memory: 'cached'`: where results are kept. */
  readonly cache: TensorCache | undefined;
  /** Parts at the same time; 1 without parallelism. */
  readonly workers: number;
  /**
   * The gradients, computed as the strategy says: one record for each feed, or with `accumulated` for so many. Each has the dtype of what it is
   * by, whatever the precision is in which it is computed.
   *
   * @throws EinstreamError E_ARGUMENT where the strategy says `gradient: 'none'`, and for `value` where it says `'eager'`; as `gradient`
   */
  gradient(options: Pick<GradientOptions, 'of' | 'wrt' | 'value'>): StrategyRun<I>;
}

/**
 * A graph as a strategy computes it. Whatever the fields, values are those of `run`, save that `precision: 'float64'` rounds less.
 *
 * ```ts
 * const g = graph({ x: input([3]) }, ({ x }) => ({ y: sum(exp(x)), z: neg(x) }));
 * const debugged = withStrategy(g, 'debug');
 * of({ x: [0, 0, 0] }).pipe(debugged.run(), map(({ y }) => [y.dtype, y.toArray()])) // => [['float64', 3]]
 * const trained = withStrategy(g, executionStrategy('training')).gradient({ of: 'y', wrt: ['x'] });
 * of({ x: [0, 0, 0] }).pipe(trained.run(), map(({ x }) => x.toArray())) // => [[1, 1, 1]]
 * ```
 *
 * @param graph as it was written; of a compiled one, what it was compiled from
 * @throws EinstreamError E_ARGUMENT for an option that the strategy has no use for, or lacks; E_SHAPE where `'minimalPeak'` or `'auto'`
 *   need sizes that are not known; the first fault of a broken graph
 */
export function withStrategy<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  strategy: StrategyPreset | Partial<ExecutionStrategy>,
  options: StrategyOptions = {},
): Strategised<I, O> {
  const read = executionStrategy(strategy);
  checkOptions(read, options);
  const source: Graph = compiledOf(graph)?.source ?? graph;
  throwIfBroken(source);
  const precise = inPrecisionOf(source, read);
  const mode = modeOf(precise, read, options);
  const means = meansOf(read, mode, options);
  const planned = planRun(precise, read, mode, means, options);
  const { pool, cache, workers } = means;
  return Object.freeze<Strategised<I, O>>({
    ...(runOf(planned.graph, planned.operator) as unknown as StrategyRun<I, O>),
    ...{ strategy: read, mode, pool, cache, workers },
    gradient: (asked) => gradientRun(precise, read, mode, means, options, asked) as unknown as StrategyRun<I>,
  });
}

const runOf = (graph: Graph, operator: OperatorFunction<Feeds, Outputs>): StrategyRun =>
  Object.freeze<StrategyRun>({
    graph,
    run: () => operator,
    evaluate: (feeds, { signal } = {}) =>
      cancellable((done, fail) => {
        const running = of(feeds).pipe(operator).subscribe({ next: done, error: fail });
        return (reason) => {
          running.unsubscribe();
          fail(reason);
        };
      }, signal),
  });

function gradientRun(
  graph: Graph,
  strategy: ExecutionStrategy,
  mode: Mode,
  means: Means,
  options: StrategyOptions,
  asked: Pick<GradientOptions, 'of' | 'wrt' | 'value'>,
): StrategyRun {
  const how = strategy.gradient;
  if (how === 'none')
    throw fault('E_ARGUMENT', {
      place: 'gradient',
      rule: "a strategy with gradient 'none' has no gradients",
      actual: 'gradient was called',
      hint: "executionStrategy({ gradient: 'full' })",
    });
  if (how === 'eager') return recorded(graph, strategy, mode, means, options, asked);
  const checkpoints = typeof how === 'object' && 'checkpointed' in how ? how.checkpointed : 'all';
  const backwards: Graph = gradient(graph, { ...asked, checkpoints });
  const { graph: planned, operator } = planRun(backwards, strategy, mode, means, options);
  const isAccumulated = typeof how === 'object' && 'accumulated' in how;
  return runOf(planned, isAccumulated ? pipe(operator, accumulate(how.accumulated.steps)) : operator);
}

/** Forward as ever, with a record; back over that. */
function recorded(
  graph: Graph,
  strategy: ExecutionStrategy,
  mode: Mode,
  means: Means,
  options: StrategyOptions,
  { of: targets, wrt, value = false }: Pick<GradientOptions, 'of' | 'wrt' | 'value'>,
): StrategyRun {
  if (value)
    throw fault('E_ARGUMENT', {
      place: 'value, gradient',
      rule: "gradient 'eager' gives gradients alone",
      actual: 'value: true',
      hint: "gradient: 'full', or run() for the values",
    });
  const { graph: forward, operator } = planRun(graph, strategy, mode, means, options, [taping()]);
  const { fallback, level } = options.run ?? {};
  const back = backpropagate({ of: targets, wrt, backend: means.backend, level: mode === 'eager' ? 'none' : level, fallback });
  return runOf(forward, pipe(operator, back));
}
