/**
 * @file `run`: a graph as an RxJS operator from feeds to outputs.
 */
import { catchError, Observable, throwError, type OperatorFunction } from 'rxjs';
import { EinstreamError, fault } from '../errors/index.js';
import { placeOf, type Graph, type Names, type OpNode } from '../graph/graph.js';
import { admit } from './admit.js';
import { compose, type ComposedStep } from './compose.js';
import { defaultBackend } from './default-backend.js';
import { emit } from './emit.js';
import type { Feeds, Outputs } from './feeds.js';
import { inFlight } from './in-flight.js';
import { readSettings, type RunOptions, type Settings } from './options.js';
import { prepare, type Prepared } from './prepare.js';
import { applyOf, operatorOf, type Step } from './step.js';

/**
 * Runs a graph on each feed, in order: one output for each feed, none after unsubscribing.
 *
 * Feeds that the consumer pushes while it is called are queued, not nested. Errors carry the node; an error of the
 * source itself passes through untouched. Each subscription runs on its own.
 *
 * ```ts
 * const g = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
 * of({ x: [1, 2] }, { x: [3] }).pipe(run(g), map(({ y }) => y.toArray())) // => [[2, 4], [6]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, and the first fault of a broken graph, at the call; E_FEED on the
 *   stream for a feed that is missing or does not fit
 */
export function run<I extends Names, O extends Names>(graph: Graph<I, O>, options: RunOptions = {}): OperatorFunction<Feeds<I>, Outputs<O>> {
  const settings = readSettings(options);
  const prepared = preparedFor(graph, options, settings, settings.use.length > 0 || settings.compose === 'separate');
  return (feeds$) =>
    new Observable((subscriber) => {
      const flights = inFlight();
      let source: { readonly error: unknown } | undefined;
      const isSourceError = (error: unknown): boolean => source !== undefined && source.error === error;
      const outputs$ = (feeds$ as Observable<Feeds>).pipe(
        admit(prepared, { admitted: flights.add, sourceFailed: (error) => (source = { error }) }),
        compose(composedSteps(prepared, settings, isSourceError), settings.compose),
        emit(prepared, flights.remove),
      );
      subscriber.add(flights.clear);
      subscriber.add(outputs$.subscribe(subscriber as never));
    });
}

export const preparedFor = (graph: Graph, { backend = defaultBackend() }: RunOptions, { level, keep, outputs }: Settings, isVisible: boolean): Prepared =>
  prepare(graph, { backend, level, keep, outputs, isVisible });

function composedSteps(prepared: Prepared, { use }: Settings, isSourceError: (error: unknown) => boolean): readonly ComposedStep[] {
  const { nodes, backend, graph } = prepared;
  return nodes.map((node, position) => {
    const plain = operatorOf(node, position, backend);
    const context = { graph, backend, position, count: nodes.length };
    const wrapped = [...use].reverse().reduce<Step>((step, middleware) => guarded(node, () => middleware(step, node, context)), plain);
    if (wrapped === plain) return { node, operator: plain, apply: backend.capabilities.asynchronous ? undefined : applyOf(node, position) };
    return { node, operator: guardedStep(node, wrapped, isSourceError), apply: undefined };
  });
}

/** Middleware is the user's code: what it throws becomes E_CONSUMER, with the node that it wrapped. */
const consumerError = (node: OpNode, cause: unknown): EinstreamError =>
  cause instanceof EinstreamError ? cause : fault('E_CONSUMER', { ...placeOf(node), rule: 'middleware must not throw', actual: cause instanceof Error ? cause.message : String(cause), cause });

function guarded(node: OpNode, make: () => Step): Step {
  try {
    return make();
  } catch (error) {
    throw consumerError(node, error);
  }
}

const guardedStep =
  (node: OpNode, step: Step, isSourceError: (error: unknown) => boolean): Step =>
  (frames$) =>
    guarded(node, () => step)(frames$).pipe(catchError((error: unknown) => throwError(() => (isSourceError(error) ? error : consumerError(node, error)))));
