/**
 * @file `compilationCache`: what was compiled before is not compiled again.
 *
 * Keys are compared in full: their text by a Map, the tensors of the graph bit by bit where they lie. Equal requests that come
 * while a compilation is on its way share it.
 */
import { isTransient } from '../../errors/index.js';
import type { Graph } from '../../graph/graph.js';
import { bounded } from '../cache/bounded.js';
import { compiledOf, type CompiledGraph } from '../compiled.js';
import { retire } from '../noted.js';
import { readOptions, type CompilationCache, type CompilationCacheOptions, type Compiling } from './cache-options.js';
import { keyTable } from './key-table.js';
import type { CompileOptions } from './options.js';
import { bytesHeld } from './size.js';

interface Entry<R> {
  readonly id: number;
  readonly value: R;
  /** Undefined until it is there. */
  compiled: CompiledGraph | undefined;
  /** How often it was the answer before it was there. */
  early: number;
}

/** A failure that is remembered: the same answer again. */
interface Failure<R> {
  readonly id: number;
  readonly answer: () => R;
}

/**
 * Makes a cache of compiled graphs. Equal graphs with equal options are compiled once, whatever objects they are: see
 * `compilationKey`. Programs of a graph that leaves the cache are disposed of when no run uses them any more.
 *
 * ```ts
 * const make = () => graph({ x: input([2]) }, ({ x }) => ({ y: relu(neg(x)) }));
 * const cache = compilationCache({ max: 100 });
 * cache.getOrCompile(make()) === cache.getOrCompile(make()) // => true
 * const { hits, misses, size, hitRate } = cache.stats();
 * [hits, misses, size, hitRate] // => [1, 1, 1, 0.5]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for limits outside their range
 */
export function compilationCache<R extends Compiling = CompiledGraph>(
  options: CompilationCacheOptions<R> = {},
): CompilationCache<R> {
  const { max, maxBytes, maxFailures, make } = readOptions(options);
  const keys = keyTable();
  const entries = bounded<number, Entry<R>>({
    ...{ maxEntries: max, maxBytes, policy: 'lru' },
    left({ id, compiled }) {
      keys.release(id);
      if (compiled !== undefined) retire(compiled);
    },
  });
  const failures = bounded<number, Failure<R>>({
    ...{ maxEntries: maxFailures, maxBytes: Infinity, policy: 'lru' },
    left: ({ id }) => keys.release(id),
  });
  let [compiles, failureHits, timeSavedMs] = [0, 0, 0];

  const fail = (id: number, error: unknown, answer: () => R): void => {
    if (!isTransient(error) && failures.set(id, { id, answer }, 0)) keys.hold(id);
  };
  const file = (id: number, value: R): boolean => {
    const entry: Entry<R> = { id, value, compiled: compiledOf(value as CompiledGraph), early: 0 };
    const isHeld = entries.set(id, entry, entry.compiled === undefined ? 0 : bytesHeld(entry.compiled));
    if (isHeld) keys.hold(id);
    if (value instanceof Promise) settle(entry, value);
    return isHeld;
  };
  const settle = (entry: Entry<R>, pending: Promise<CompiledGraph>): void => {
    const { id } = entry;
    keys.hold(id);
    pending
      .then(
        (compiled) => {
          entry.compiled = compiled;
          timeSavedMs += entry.early * compiled.statistics.timeMs;
          // It may have left meanwhile. Now that its size is known, it may have to.
          if (entries.peek(id) === entry && !entries.set(id, entry, bytesHeld(compiled))) entries.delete(id);
        },
        (error: unknown) => {
          if (entries.peek(id) === entry) entries.delete(id);
          fail(id, error, () => entry.value);
        },
      )
      .finally(() => keys.release(id));
  };
  const compileNow = (id: number, graph: Graph, given: CompileOptions): R => {
    compiles++;
    let value: R;
    try {
      value = make(graph, given);
    } catch (error) {
      fail(id, error, () => {
        throw error;
      });
      throw error;
    }
    file(id, value);
    return value;
  };
  const found = (id: number): R | undefined => {
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.compiled === undefined) entry.early++;
    else timeSavedMs += entry.compiled.statistics.timeMs;
    return entry.value;
  };
  const remembered = (id: number): Failure<R> | undefined => {
    const failure = failures.peek(id);
    if (failure !== undefined) failureHits++;
    return failure;
  };
  /** The number of a key lives as long as somebody holds it. */
  const withKey = <T>(graph: Graph, given: CompileOptions, act: (id: number) => T): T => {
    const id = keys.idOf(graph, given);
    try {
      return act(id);
    } finally {
      keys.release(id);
    }
  };
  const getOrCompile = (graph: Graph, given: CompileOptions = {}): R => {
    if (given.caching !== false)
      return withKey(graph, given, (id) => {
        const failure = remembered(id);
        return failure === undefined ? (found(id) ?? compileNow(id, graph, given)) : failure.answer();
      });
    compiles++;
    return make(graph, given);
  };
  const get = (graph: Graph, given: CompileOptions = {}): R | undefined => withKey(graph, given, found);

  return Object.freeze<CompilationCache<R>>({
    getOrCompile: getOrCompile as CompilationCache<R>['getOrCompile'],
    get: get as CompilationCache<R>['get'],
    insert: (graph, given, value) => withKey(graph, given, (id) => file(id, value)),
    clear() {
      entries.clear();
      failures.clear();
    },
    stats() {
      const { entries: size, hits, misses, evictions, bytes, hitRate } = entries.counts();
      const done = { compiles, failures: failures.counts().entries, failureHits, timeSavedMs };
      return Object.freeze({ size, hits, misses, evictions, bytes, hitRate, ...done });
    },
  });
}
