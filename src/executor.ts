/**
 * @file The executor: the seed's method names over the operators, a line or two each.
 */
import type { Backend, BackendCapabilities, Support } from './backends/index.js';
import { supports } from './backends/index.js';
import { checkBackend } from './backends/supports.js';
import type { Graph, Names } from './graph/graph.js';
import { inferShapes } from './graph/shapes.js';
import { validationOf, type Validation } from './graph/validation.js';
import type { Dims } from './ops/dims.js';
import { context, type ExecutionContext, type ExecutionHook, type Feeds, type RunOptions } from './run/index.js';
import { defaultBackend } from './run/default-backend.js';
import { evaluateSync } from './run/evaluate.js';
import { asyncMethods, type AsyncMethods } from './executor/async.js';
import { batchMethods, type BatchMethods } from './executor/batch.js';
import { compilationMethods, type CompilationMethods } from './executor/compilation.js';
import { EAGER } from './executor/eager.js';
import { resultOf, type Execution } from './executor/execution.js';
import { recoveryMethods, type RecoveryMethods } from './executor/recovery.js';
import { withSeedNames, type SeedNames } from './executor/seed-names.js';
import { gradientSession, type GradientSession } from './executor/session.js';
import { streamingMethods, type StreamingMethods } from './executor/streaming.js';

export type { AsyncMethods } from './executor/async.js';
export type { BatchMethods } from './executor/batch.js';
export type { CompilationMethods } from './executor/compilation.js';
export type { Execution } from './executor/execution.js';
export type { RecoveryMethods } from './executor/recovery.js';
export type { SeedNames } from './executor/seed-names.js';
export type { GradientSession } from './executor/session.js';
export type { StreamingMethods } from './executor/streaming.js';

/** Batches, streams, promises, recovery and compilation. */
interface Many extends BatchMethods, StreamingMethods, AsyncMethods, RecoveryMethods, CompilationMethods {}

/** Options of `run` that an executor applies to every execution. */
export type ExecutorOptions = Omit<RunOptions, 'outputs' | 'use' | 'compose'>;

/**
 * What the seed's executors do, as far as there are operators for it; with its names for ops on variables (`eager_add` …), and in its
 * spelling, too (`execute_batch` …).
 */
export interface Executor extends GradientSession, Many, SeedNames<Many>, Readonly<typeof EAGER> {
  readonly backend: Backend;
  /** How the latest execution stands, and whom it tells. */
  readonly context: ExecutionContext;
  /** @throws EinstreamError as `evaluateSync` */
  execute<I extends Names, O extends Names>(graph: Graph<I, O>, feeds: Feeds<I>): Execution<O>;
  /** Everything that is wrong with a graph, with counts. */
  validate(graph: Graph): Validation;
  /** @throws EinstreamError as `inferShapes` */
  inferShapes(graph: Graph, shapes?: Readonly<Record<string, Dims>>): ReadonlyMap<string, Dims>;
  capabilities(): BackendCapabilities;
  supports(graph: Graph): Support;
  addHook(hook: ExecutionHook): Executor;
  /** Closes the backend. */
  close(): Promise<void>;
}

/**
 * A facade for those who come from the seed: an object with a backend and methods, instead of operators and options.
 *
 * ```ts
 * const [y] = executor().execute(graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) })), { x: [1, 2] });
 * y.toArray() // => [2, 4]
 *
 * const engine = executor();
 * const outputs = engine.forward(graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, x) })), { x: [3, 5] });
 * engine.backward(outputs, [tensor([1, 10])]);
 * engine.gradients().x.toArray() // => [6, 100]
 *
 * const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
 * const batch = await engine.execute_batch(doubled, [{ x: 1 }, { x: 2 }]);
 * batch.outputs.map(({ y }) => y.toArray()) // => [2, 4]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what is no backend
 */
export function executor(options: ExecutorOptions = {}): Executor {
  const backend: unknown = options.backend ?? defaultBackend();
  checkBackend(backend);
  const runContext = options.context ?? context();
  const settings = { ...options, backend, context: runContext };
  const self: Executor = Object.freeze<Executor>({
    ...EAGER,
    ...gradientSession(settings),
    ...withSeedNames({
      ...batchMethods(settings),
      ...streamingMethods(settings),
      ...asyncMethods(settings),
      ...recoveryMethods(settings),
      ...compilationMethods(settings),
    }),
    backend,
    context: runContext,
    execute: (graph, feeds) => resultOf(evaluateSync(graph, feeds, settings)),
    validate: validationOf,
    inferShapes: (graph, shapes = {}) => inferShapes(graph, shapes),
    capabilities: () => backend.capabilities,
    supports: (graph) => supports(backend, graph),
    addHook(hook) {
      runContext.addHook(hook);
      return self;
    },
    close: () => backend.close(),
  });
  return self;
}
