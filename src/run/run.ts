/**
 * @file `run`: a graph as an RxJS operator from feeds to outputs.
 */
import { defer, map, type Observable, type OperatorFunction } from 'rxjs';
import { suppress, type EinstreamError } from '../errors/index.js';
import type { Graph, Names, NodeId } from '../graph/graph.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { admit } from './admit.js';
import { checkCompiled, compiledOf } from './compiled.js';
import { compose, type ComposedStep } from './compose.js';
import { defaultBackend } from './default-backend.js';
import { emit } from './emit.js';
import { teller } from './ending.js';
import type { Feeds, Outputs } from './feeds.js';
import { guardedStep, madeStep } from './guard.js';
import { following, nodeEvents } from './follow.js';
import type { Lifecycle } from './lifecycle.js';
import { inFlight } from './in-flight.js';
import { readSettings, type RunOptions, type Settings } from './options.js';
import { prepare, type Prepared } from './prepare.js';
import { applyAll, applyOf, operatorOf, type Middleware, type Step } from './step.js';
import { carryTape } from './tapes.js';

/**
 * Runs a graph on each feed, in order: one output for each feed, none after unsubscribing.
 *
 * Where no backend is named, `wasm` computes feeds whose shapes make it worth copying them into its memory, and `js` the rest:
 * see `RunOptions.backend`.
 *
 * Feeds that the consumer pushes while it is called are queued, not nested. Errors carry the node; an error of the
 * source itself passes through untouched. Each subscription runs on its own.
 *
 * What a plain `subscribe` callback throws is reported as uncaught, by RxJS's own rule, and the run goes on: `consume` makes it
 * the run's error. All is torn down before the end is told. A teardown that throws turns completion into E_TEARDOWN, and is kept
 * in the `suppressed` of an error; after unsubscribing `onDiagnostic` hears of it, or else the console.
 *
 * ```ts
 * const g = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
 * of({ x: [1, 2] }, { x: [3] }).pipe(run(g), map(({ y }) => y.toArray())) // => [[2, 4], [6]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, and the first fault of a broken graph, at the call; E_FEED on the
 *   stream for a feed that is missing or does not fit, E_KERNEL and the like with the node, E_CONSUMER for a callback that
 *   throws, E_TEARDOWN
 */
export function run<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  options: RunOptions = {},
): OperatorFunction<Feeds<I>, Outputs<O>> {
  const settings = readSettings(options);
  const isWatched = settings.use.length > 0;
  const prepared = preparedFor(graph, options, settings, settings.use.length > 0 || settings.compose === 'separate');
  const tell = teller(options.onDiagnostic);
  const { context } = settings;
  const follow = context === undefined ? undefined : following(context, prepared.nodes.length, tell);
  const outputsOf = (feeds$: Observable<Feeds>, followed?: Lifecycle): Observable<Outputs<O>> =>
    defer(() => {
      const flights = inFlight();
      let first: unknown;
      // A kernel may fail in the tick in which another one's failure ended the run.
      const late = (error: EinstreamError): void => void (first !== undefined && suppress(first, error));
      return feeds$.pipe(
        admit(prepared, { flights, admitted: followed?.started, onDiagnostic: settings.onDiagnostic }),
        stepsOf(
          prepared,
          followed?.wantsNodes === true ? { ...settings, use: [nodeEvents(followed), ...settings.use] } : settings,
          late,
          tell,
        ),
        emit(prepared, { flights, tell, emitted: isWatched ? carryTape : undefined, failed: (error) => (first = error) }),
      );
    }) as Observable<Outputs<O>>;
  return (feeds$) => (follow === undefined ? outputsOf(feeds$) : follow((followed) => outputsOf(feeds$, followed)));
}

export const preparedFor = (
  graph: Graph,
  options: RunOptions,
  { level, keep, outputs, fallback, inPlace, placement, memoryLimit, fastMath, use, context }: Settings,
  isVisible: boolean,
): Prepared => {
  const compiled = compiledOf(graph);
  const backend = options.backend ?? compiled?.backend ?? defaultBackend();
  if (compiled !== undefined) checkCompiled(compiled, { level: options.level, fastMath: options.fastMath, backend });
  return prepare(graph, {
    backend,
    level,
    keep,
    retain: retained(compiled?.source ?? graph, use),
    outputs,
    isVisible,
    isFixed: isVisible || context !== undefined || backend.capabilities.asynchronous,
    fallback,
    inPlace,
    placement,
    memoryLimit,
    fastMath,
  });
};

/** What middleware wants to see. */
export function retained(graph: Graph, use: readonly Middleware[]): readonly NodeId[] {
  const wanting = use.flatMap(({ keeps }) => keeps ?? []);
  if (wanting.length === 0) return [];
  throwIfBroken(graph);
  return [...new Set(wanting.flatMap((keeps) => keeps(graph)))];
}

/** All steps as one operator. Where nothing comes between them it is one loop, and nothing is made for a single node. */
function stepsOf(
  prepared: Prepared,
  settings: Settings,
  late: (error: EinstreamError) => void,
  tell: (failure: EinstreamError) => void,
): Step {
  const isPlain = settings.use.length === 0 && settings.compose === 'segments' && !prepared.asked.capabilities.asynchronous;
  return isPlain ? map(applyAll) : compose(composedSteps(prepared, settings, late), settings.compose, tell);
}

/** Operators that one middleware may add to a step, at a guess: the stack has room for several times as many. */
const DEPTH = 8;

/** The steps with their middleware, made anew for each subscription. `late` hears of kernels that fail after the end. */
export function composedSteps(
  prepared: Prepared,
  { use }: Settings,
  late?: (error: EinstreamError) => void,
): readonly ComposedStep[] {
  const { nodes, asked, graph, source, slots } = prepared;
  return nodes.map((node, position) => {
    const plain = operatorOf(node, position, asked, late);
    const context = { graph, source, backend: asked, position, count: nodes.length };
    const wrapped = use.reduceRight<Step>((step, middleware) => madeStep(node, () => middleware(step, node, context)), plain);
    if (wrapped !== plain)
      return { node, operator: guardedStep(node, slots[node.id], wrapped), apply: undefined, depth: DEPTH * (use.length + 1) };
    const isAsynchronous = asked.capabilities.asynchronous;
    return {
      node,
      operator: plain,
      apply: isAsynchronous ? undefined : applyOf(node, position),
      depth: isAsynchronous ? DEPTH : 1,
    };
  });
}
