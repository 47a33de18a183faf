/**
 * @file What a `compilationCache` can be told, and what it tells.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import type { CacheCounts } from '../cache/bounded.js';
import type { CompiledGraph } from '../compiled.js';
import { compile } from './compile.js';
import type { CompileOptions } from './options.js';

/** How much a `compilationCache` holds, and who compiles. */
export interface CompilationCacheOptions<R> {
  /** Compiled graphs; 100 by default, an integer ≥ 0. The least recently used goes first. */
  readonly max?: number;
  /** Bytes of their tensors and nodes, about; no limit by default. */
  readonly maxBytes?: number;
  /** Failures remembered, so that what cannot be compiled is not tried again and again; 100 by default, 0 for none. */
  readonly maxFailures?: number;
  /** Compiles in another way, at once or as a promise; `compile` by default. */
  readonly compile?: (graph: Graph, options: CompileOptions) => R;
}

/** What a `compilationCache` did so far. */
export interface CompilationCacheStats extends Pick<CacheCounts, 'hits' | 'misses' | 'evictions' | 'bytes' | 'hitRate'> {
  /** Compiled graphs that it holds. */
  readonly size: number;
  readonly compiles: number;
  /** Failures that it holds, and how often one of them was the answer. */
  readonly failures: number;
  readonly failureHits: number;
  /** Milliseconds that the compilations took that hits did without. */
  readonly timeSavedMs: number;
}

/** Compiled graphs by graph and options. `R` is what its `compile` gives: a compiled graph, or a promise of one. */
export interface CompilationCache<R extends Compiling = CompiledGraph> {
  /**
   * The compiled graph, from the cache or made now. `caching: false` among the options passes the cache by.
   *
   * @throws what compiling throws; of a failure that is remembered, the same error
   */
  getOrCompile<I extends Names, O extends Names>(graph: Graph<I, O>, options?: CompileOptions): Answer<R, I, O>;
  /** Undefined where there is none; counts. */
  get<I extends Names, O extends Names>(graph: Graph<I, O>, options?: CompileOptions): Answer<R, I, O> | undefined;
  /** Files a compiled graph under its source's key. False where the cache is too small for it. */
  insert(graph: Graph, options: CompileOptions, compiled: R): boolean;
  /** Lets all go, failures too. Runs on their way finish. */
  clear(): void;
  stats(): CompilationCacheStats;
}

export type Compiling = CompiledGraph | Promise<CompiledGraph>;
type Answer<R, I extends Names, O extends Names> =
  R extends Promise<CompiledGraph> ? Promise<CompiledGraph<I, O>> : CompiledGraph<I, O>;

/** @throws EinstreamError E_ARGUMENT naming the option */
export function readOptions<R extends Compiling>({
  max = 100,
  maxBytes = Infinity,
  maxFailures = 100,
  compile: make,
  ...rest
}: CompilationCacheOptions<R>) {
  const wrong = (place: string, rule: string, actual: unknown) =>
    fault('E_ARGUMENT', { place, rule, actual: describeValue(actual) });
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw wrong('compilationCache', 'it has the options max, maxBytes, maxFailures and compile', unknown);
  for (const [name, value] of Object.entries({ max, maxFailures }))
    if (!Number.isSafeInteger(value) || value < 0) throw wrong(name, 'it is an integer ≥ 0', value);
  if (typeof maxBytes !== 'number' || !(maxBytes >= 0)) throw wrong('maxBytes', 'it is a number of bytes ≥ 0', maxBytes);
  if (make !== undefined && typeof make !== 'function') throw wrong('compile', 'it is a function of a graph and options', make);
  return { max, maxBytes, maxFailures, make: make ?? (compile as (graph: Graph, options: CompileOptions) => R) };
}
