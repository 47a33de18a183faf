/**
 * @file One feed, one answer: `evaluateSync` without RxJS, `evaluate` as a promise.
 */
import { of, throwIfEmpty } from 'rxjs';
import { fault, type EinstreamError } from '../errors/index.js';
import type { Graph, Names, OpNode } from '../graph/graph.js';
import { frames } from './admit.js';
import { act } from './computing.js';
import { compiledOf } from './compiled.js';
import { cancellable, type Cancellable } from './cancellable.js';
import { copiedOutputs } from './emit.js';
import type { Feeds, Outputs } from './feeds.js';
import { followedSync } from './follow.js';
import type { Frame } from './frame.js';
import type { Lifecycle } from './lifecycle.js';
import { readSettings, type RunOptions } from './options.js';
import { preparedFor, run } from './run.js';

/**
 * Runs a graph on one feed, now.
 *
 * ```ts
 * evaluateSync(graph({ x: input([2, 2]) }, ({ x }) => ({ y: einsum('ii->', x) })), { x: [[1, 2], [3, 4]] }).y.toArray() // => 5
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for an asynchronous backend or middleware, E_FEED for a feed that does not fit
 */
export function evaluateSync<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  feeds: Feeds<I>,
  options: RunOptions = {},
): Outputs<O> {
  const settings = readSettings(options);
  const backend = options.backend ?? compiledOf(graph)?.backend;
  if (backend?.capabilities.asynchronous === true)
    throw fault('E_ARGUMENT', {
      place: 'evaluateSync',
      rule: 'an asynchronous backend cannot answer at once',
      actual: `backend ${backend.name}`,
      hint: 'await evaluate(…)',
    });
  if (settings.use.length > 0)
    throw fault('E_ARGUMENT', {
      place: 'evaluateSync',
      rule: 'middleware works on streams',
      hint: 'use evaluate(…), or of(feeds).pipe(run(…))',
    });
  const prepared = preparedFor(graph, options, { ...settings, outputs: 'copy' }, false);
  return followedSync(settings.context, prepared.nodes.length, (run) => {
    run?.started();
    const frame = frames(prepared, undefined, settings.onDiagnostic)(feeds);
    try {
      const through = run?.wantsNodes === true ? observed(run) : act;
      frame.program.prepared.nodes.forEach((node, at) => through(frame, node, at));
      return copiedOutputs(frame) as Outputs<O>;
    } finally {
      frame.program.arenas.giveBack(frame.lease);
    }
  });
}

const observed =
  (run: Lifecycle) =>
  (frame: Frame, node: OpNode, at: number): void => {
    run.nodeStarted(node, frame.index);
    act(frame, node, at);
    run.nodeFinished(node, frame.index);
  };

/** What `evaluate` can be told. */
export interface EvaluateOptions extends RunOptions {
  /** Cancels it; its reason is passed through. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a graph on one feed. Where the backend answers at once, so does this: to keep the thread free, see `executorPool`.
 *
 * ```ts
 * evaluate(graph({ x: input([2]) }, ({ x }) => ({ y: sum(x) })), { x: [1, 2] }).then(({ y }) => y.toArray()) // => 3
 * ```
 *
 * @returns a promise that rejects with what `run` would put on the stream, or with the reason for which it was cancelled
 */
export function evaluate<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  feeds: Feeds<I>,
  { signal, ...options }: EvaluateOptions = {},
): Cancellable<Outputs<O>> {
  if (options.outputs === 'borrow')
    throw fault('E_ARGUMENT', {
      place: 'evaluate',
      rule: 'a promise cannot lend its outputs',
      hint: "leave out outputs: 'borrow'",
    });
  const outputs$ = of(feeds).pipe(run(graph, options), throwIfEmpty(noAnswer));
  return cancellable((done, fail) => {
    let outputs: Outputs<O>;
    const running = outputs$.subscribe({ next: (value) => (outputs = value), error: fail, complete: () => done(outputs) });
    return (reason) => {
      running.unsubscribe();
      fail(reason);
    };
  }, signal);
}

const noAnswer = (): EinstreamError =>
  fault('E_CONSUMER', {
    place: 'evaluate',
    rule: 'middleware must pass on each frame once',
    actual: 'the run ended without an output',
  });
