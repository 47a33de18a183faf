/**
 * @file `context`: what is to be told of runs, and how the latest one stands.
 */
import { describeValue, fault } from '../errors/index.js';
import { lifecycle, type Lifecycle, type Work } from './lifecycle.js';
import { isTerminal, mayFollow, PHASES, type ExecutionHook, type ExecutionPhase, type ExecutionState } from './phases.js';

/** What a `context` is told when it is made. */
export interface ContextOptions {
  readonly hooks?: readonly ExecutionHook[];
  /** Feeds that a run is expected to answer, for `progress`; 1 by default. An integer ≥ 1. */
  readonly total?: number;
}

/** Follows runs: pass it as `context` to `run`, `evaluate` or `evaluateSync`, or notify it by hand. */
export interface ExecutionContext {
  /** Of the run that began last. */
  readonly state: ExecutionState;
  /** `state.progress`. */
  readonly progress: number;
  /** Adds a hook, for this run and those to come; node events from the next run on. Gives the context. */
  addHook(hook: ExecutionHook): ExecutionContext;
  /**
   * Enters a phase by hand. `'GraphLoad'` begins a run.
   *
   * @throws EinstreamError E_ARGUMENT for a phase that may not follow, E_CONSUMER when a hook throws
   */
  notify(phase: ExecutionPhase): void;
}

const beginnings = new WeakMap<object, (nodes: number) => Lifecycle>();

/** Begins a run of the engine's own. */
export const beginRun = (context: ExecutionContext, nodes: number): Lifecycle => beginnings.get(context)!(nodes);

export function checkContext(value: unknown): void {
  if (typeof value === 'object' && value !== null && beginnings.has(value)) return;
  throw fault('E_ARGUMENT', {
    place: 'context',
    rule: 'an execution context is made by context()',
    actual: describeValue(value),
  });
}

/**
 * Makes an execution context: it tells its hooks of each run's phases, nodes, error and end, and knows how far the run is.
 *
 * Each subscription is a run with a state of its own; hooks hear of all, and are told which. `progress` counts nodes where a
 * hook wants node events, whole frames otherwise, out of `total` frames. The length of a stream is not known, so without `total`
 * one frame counts as all of the work; progress stays below 1 until the run completes, and stays where it was if it does not.
 *
 * ```ts
 * const phases = [];
 * const ctx = context({ hooks: [{ onPhaseChange: (phase) => void phases.push(phase) }] });
 * evaluateSync(graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) })), { x: [1, 2] }, { context: ctx });
 * phases // => ['GraphLoad', 'Preparing', 'Execution', 'Waiting', 'Complete']
 * ctx.progress // => 1
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a hook that is no object, or a `total` that is no integer ≥ 1
 */
export function context(options: ContextOptions = {}): ExecutionContext {
  const { total = 1 } = options;
  if (!Number.isSafeInteger(total) || total < 1) {
    throw fault('E_ARGUMENT', { place: 'total', rule: 'total is an integer ≥ 1', actual: describeValue(total) });
  }
  const hooks = [...(options.hooks ?? [])];
  hooks.forEach(checkHook);
  let runs = 0;
  let latest = lifecycle(0, [], { nodes: 1, total });
  let manual = latest;
  const begin = (nodes: number): Lifecycle => (latest = lifecycle(++runs, hooks, { nodes, total } satisfies Work));
  const self: ExecutionContext = Object.freeze<ExecutionContext>({
    get state() {
      return latest.state;
    },
    get progress() {
      return latest.state.progress;
    },
    addHook(hook) {
      checkHook(hook);
      hooks.push(hook);
      return self;
    },
    notify(phase) {
      const before = isTerminal(manual.state.phase) && phase === 'GraphLoad' ? undefined : manual.state.phase;
      if (!PHASES.includes(phase) || !mayFollow(before, phase)) throw misplaced(before, phase);
      if (phase === 'GraphLoad') manual = begin(1);
      enterByHand(manual, phase);
    },
  });
  beginnings.set(self, begin);
  return self;
}

function enterByHand(run: Lifecycle, phase: ExecutionPhase): void {
  if (phase === 'Execution') run.started();
  else if (phase === 'Waiting') run.finished();
  else if (phase === 'Complete') run.complete();
  else if (phase === 'Failed') rethrow(run.fail(undefined));
  else if (phase === 'Cancelled') {
    rethrow(run.cancel());
  } else run.enter(phase);
}

function rethrow(error: unknown): void {
  if (error !== undefined) throw error as Error;
}

function checkHook(hook: unknown): void {
  if (typeof hook === 'object' && hook !== null) return;
  throw fault('E_ARGUMENT', {
    place: 'hook',
    rule: 'a hook is an object of callbacks',
    expected: 'onPhaseChange, onNodeStart, onNodeComplete, onError, onComplete',
    actual: describeValue(hook),
  });
}

const misplaced = (before: ExecutionPhase | undefined, phase: unknown) =>
  fault('E_ARGUMENT', {
    place: 'notify',
    rule: 'phases follow one another: GraphLoad, Preparing, Execution and Waiting in turns, then one of Complete, Failed, Cancelled',
    expected:
      before === undefined ? 'GraphLoad' : PHASES.filter((each) => mayFollow(before, each)).join(', ') || 'GraphLoad, a new run',
    actual: describeValue(phase),
  });
