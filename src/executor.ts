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
import { context, type ExecutionContext, type ExecutionHook, type Feeds, type Outputs, type RunOptions } from './run/index.js';
import { defaultBackend } from './run/default-backend.js';
import { evaluate, evaluateSync } from './run/evaluate.js';
import type { Tensor } from './tensor/tensor.js';

/** A graph's outputs in their order, and by name. */
export type Execution<O extends Names = Names> = readonly Tensor[] & { readonly byName: Outputs<O> };

/** Options of `run` that an executor applies to every execution. */
export type ExecutorOptions = Omit<RunOptions, 'outputs' | 'use' | 'compose'>;

/** What the seed's executors do, as far as there are operators for it. */
export interface Executor {
  readonly backend: Backend;
  /** How the latest execution stands, and whom it tells. */
  readonly context: ExecutionContext;
  /** @throws EinstreamError as `evaluateSync` */
  execute<I extends Names, O extends Names>(graph: Graph<I, O>, feeds: Feeds<I>): Execution<O>;
  executeAsync<I extends Names, O extends Names>(graph: Graph<I, O>, feeds: Feeds<I>): Promise<Execution<O>>;
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
    backend,
    context: runContext,
    execute: (graph, feeds) => resultOf(evaluateSync(graph, feeds, settings)),
    executeAsync: async (graph, feeds) => resultOf(await evaluate(graph, feeds, settings)),
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

export const resultOf = <O extends Names>(outputs: Outputs<O>): Execution<O> =>
  Object.freeze(Object.assign(Object.values<Tensor>(outputs), { byName: outputs }));
