/**
 * @file `jit`: a backend around a backend, which begins without code and makes it for what runs often.
 */
import { asapScheduler, Observable, observeOn } from 'rxjs';
import { readConfig, type JitConfig } from '../../backends/jit/config.js';
import type { JitStats } from '../../backends/jit/stats.js';
import { js, type Backend } from '../../backends/index.js';
import { checkBackend } from '../../backends/supports.js';
import { leastRecentlyUsed } from '../../backends/lru.js';
import { fault } from '../../errors/index.js';
import type { Graph } from '../../graph/graph.js';
import { plainText } from '../../graph/plainText.js';
import { defaultBackend } from '../default-backend.js';
import { compiledOf } from '../compiled.js';
import { prepareAnew, type Preparation, type Prepared } from '../prepare.js';
import { tiered, tiersOf } from '../tiers.js';
import { exactText } from './exact-text.js';
import { graphTiers } from './graph-tiers.js';
import { fixedLevel, freeLevels } from './levels.js';
import { jitState } from './state.js';

/** A backend that makes code for what runs often, and what it counts. */
export interface JitBackend extends Backend {
  readonly stats: () => JitStats;
  /** The counts now, and after each change of what is compiled. It never ends. */
  readonly stats$: Observable<JitStats>;
  /** Forgets all code and all counts; frames that are on their way still finish. */
  readonly clear: () => void;
}

/**
 * A backend around a backend: each path, which is a graph with feeds of the same types, is interpreted at first, so that its
 * first result does not wait for a compiler. From run `hotPathThreshold` + 1 on the backend inside computes it, at `hotLevel`.
 *
 * A few shapes of each graph get code of their own, further ones share the level of generic code. With `adaptive` code is
 * measured, level by level downwards, and the quickest stays. Where the hot level folds constants, inputs of up to 64 KiB and params
 * that did not change meanwhile become constants of the code, if that is quicker still; their bits are compared before each run, and
 * the first run in which one differs has code without, for good. What does not compile, or finds no room, stays interpreted, and
 * `onDiagnostic` hears W_FALLBACK. A run that would be interpreted for longer than compiling takes is compiled at once.
 *
 * Its levels take the place of the option `level`, but where each step is seen (by middleware or a context, in `live`, with
 * `compose: 'separate'`) or is asynchronous: there the graph has the steps of `level`, whoever computes them.
 *
 * ```ts
 * const backend = jit(js(), { hotPathThreshold: 2 });
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * from([1, 2, 3, 4]).pipe(map((n) => ({ x: [n, -n] })), run(g, { backend })).subscribe();
 * const { hotPathsDetected, compilations, cacheHitRate } = backend.stats();
 * [hotPathsDetected, compilations, cacheHitRate] // => [1, 1, 0.25]
 * ```
 *
 * @param backend computes hot paths: the default one unless given
 * @throws EinstreamError E_ARGUMENT for a backend that is none, or is a jit itself, and for a configuration outside its range
 */
export function jit(backend: Backend = defaultBackend(), config: JitConfig = {}): JitBackend {
  checkBackend(backend);
  if (tiersOf(backend) !== undefined)
    throw fault('E_ARGUMENT', { place: 'jit', rule: 'a jit goes around a backend that is none itself', actual: backend.name });
  const state = jitState(readConfig(config));
  const { capabilities } = backend;
  const { maxFusedNodes, maxFusedOperands } = capabilities;
  const plain = js({ kernels: 'interpret' });
  // Graphs are cut into steps as the backend inside can take them.
  const limits = { maxFusedNodes: Math.min(maxFusedNodes, plain.capabilities.maxFusedNodes), maxFusedOperands };
  const interpreter: Backend = Object.freeze({ ...plain, capabilities: Object.freeze({ ...plain.capabilities, ...limits }) });
  const name = `jit(${backend.name})`;
  const { clear, stats } = state;
  const tier: JitBackend = Object.freeze<JitBackend>({
    ...interpreter,
    name,
    capabilities: Object.freeze({
      ...capabilities,
      ...limits,
      name,
      features: Object.freeze([...new Set([...capabilities.features, 'JIT'] as const)]),
      remarks: Object.freeze([
        `each path is interpreted ${state.config.hotPathThreshold} times before ${backend.name} computes it`,
        ...capabilities.remarks,
      ]),
    }),
    stats,
    stats$: new Observable<JitStats>((subscriber) => {
      subscriber.next(stats());
      return state.listen(() => subscriber.next(stats()));
    }).pipe(observeOn(asapScheduler)),
    clear,
    close() {
      clear();
      return backend.close();
    },
  });
  const alike = leastRecentlyUsed<string, Prepared>(state.config.maxCacheSize);
  tiered(tier, (graph, preparation) => {
    // Who computes is this tier, and at which levels its configuration says.
    const { backend: _, level: __, ...options } = preparation;
    // The text of a compiled graph does not say what else it was told.
    const text = preparation.isFixed || compiledOf(graph) !== undefined ? undefined : exactText(graph);
    if (text === undefined) return preparedBy(graph, preparation);
    const key = `${plainText(options)}\n${text}`;
    return alike.get(key) ?? alike.set(key, preparedBy(graph, preparation));
  });
  return tier;

  function preparedBy(graph: Graph, preparation: Preparation): Prepared {
    const { isFixed } = preparation;
    const level = isFixed ? preparation.level : state.config.initialLevel;
    const cold: Prepared = { ...prepareAnew(graph, { ...preparation, backend: interpreter, level }), asked: tier };
    const levels = isFixed ? fixedLevel(cold, backend) : freeLevels(graph, preparation, backend, cold);
    return { ...cold, choosing: graphTiers(state, backend, cold, levels, preparation) };
  }
}
