/**
 * @file Compiled graphs and code for hot paths under the seed's names: `compile` and `jit`.
 */
import { fault } from '../errors/index.js';
import type { Graph, Names } from '../graph/graph.js';
import { evaluateSync } from '../run/evaluate.js';
import {
  compile,
  jit,
  type CompiledGraph,
  type CompileOptions,
  type Feeds,
  type JitBackend,
  type JitConfig,
  type JitStats,
  type RunOptions,
} from '../run/index.js';
import { resultOf, type Execution } from './execution.js';

/** Code that is made beforehand, and code that is made for what runs often. */
export interface CompilationMethods {
  /** For the executor's backend and level, unless `config` says otherwise. See `compile`. */
  compileGraph<I extends Names, O extends Names>(graph: Graph<I, O>, config?: CompileOptions): CompiledGraph<I, O>;
  /** As `execute`, and nothing is optimised any more. @throws EinstreamError as `evaluateSync` */
  executeCompiled<I extends Names, O extends Names>(compiled: CompiledGraph<I, O>, feeds: Feeds<I>): Execution<O>;
  /**
   * As `execute`, interpreted until it pays to make code. See `jit`.
   *
   * @throws EinstreamError E_ARGUMENT for another configuration than before, unless the cache was cleared; as `evaluateSync`
   */
  executeJit<I extends Names, O extends Names>(graph: Graph<I, O>, feeds: Feeds<I>, config?: JitConfig): Execution<O>;
  getJitStats(): JitStats;
  /** Forgets code, counts and configuration. */
  clearJitCache(): void;
}

export function compilationMethods(settings: RunOptions): CompilationMethods {
  const { backend, level, fastMath, keep, use } = settings;
  const { level: _level, fastMath: _fastMath, ...asCompiled } = settings;
  let current: { readonly tier: JitBackend; readonly config: JitConfig } | undefined;
  return {
    compileGraph: (graph, config) => compile(graph, { backend, level, fastMath, keep, use, ...config }),
    executeCompiled: (compiled, feeds) => resultOf(evaluateSync(compiled, feeds, asCompiled)),
    executeJit(graph, feeds, config = current?.config ?? {}) {
      current ??= { tier: jit(backend, config), config };
      if (!isSame(current.config, config))
        throw fault('E_ARGUMENT', {
          place: 'executeJit',
          rule: 'an executor has one configuration at a time, as it has one cache',
          hint: 'call clearJitCache() first, or make another executor',
        });
      return resultOf(evaluateSync(graph, feeds, { ...settings, backend: current.tier }));
    },
    getJitStats: () => (current?.tier ?? jit(backend)).stats(),
    clearJitCache() {
      current?.tier.clear();
      current = undefined;
    },
  };
}

const isSame = (a: JitConfig, b: JitConfig): boolean =>
  [...Object.keys(a), ...Object.keys(b)].every((field) => Object.is(a[field as keyof JitConfig], b[field as keyof JitConfig]));
