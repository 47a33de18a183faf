/**
 * @file `parallel`: items that are independent, several at once, in their order.
 */
import { catchError, defer, map, of, pipe, throwError, throwIfEmpty, type Observable, type OperatorFunction } from 'rxjs';
import { environment } from '../../backends/index.js';
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import type { Feeds, Outputs } from '../../run/feeds.js';
import type { RunOptions } from '../../run/options.js';
import { run } from '../../run/run.js';
import { readCount } from '../demand/bounds.js';
import { inOrder, noLoad } from '../demand/in-order.js';
import { checkFunction, checkKnown } from '../options.js';
import { ofItem, type ItemResult } from './item.js';

/** Whatever runs graphs on streams: a pool of workers, a remote one. By default the engine itself. */
export interface Runner {
  run<I extends Names, O extends Names>(graph: Graph<I, O>): OperatorFunction<Feeds<I>, Outputs<O>>;
}

/** How many items at once, where, and what a failure means. */
export interface ParallelOptions {
  /** Items in flight; by default as many as there are processors. */
  readonly concurrency?: number;
  /** `true`: the first failure ends all. By default it is the result of its item. */
  readonly failFast?: boolean;
  /** Who computes. The engine's own kernels take turns on one thread unless their backend is asynchronous. */
  readonly over?: Runner;
  /** How the engine runs the graph. Not together with `over`. */
  readonly run?: RunOptions;
  /** Milliseconds, from any start; `performance.now` by default. */
  readonly clock?: () => number;
}

const PLACE = 'parallel';

/**
 * Runs a graph on each item, at most `concurrency` at once; results keep the order of the items. Items that wait are not bounded: an
 * Observable cannot wait. Behind a source that can, put it in `through`.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(x) }));
 * of({ x: [1, 2] }, { x: [1] }, { x: [3, 4] }).pipe(
 *   parallel(g, { concurrency: 2 }),
 *   map(({ index, outputs, error }) => [index, outputs === undefined ? error.code : outputs.y.toArray()]),
 * ) // => [[0, 3], [1, 'E_FEED'], [2, 7]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, at the call; with `failFast` what the first item that fails gives, on the stream
 */
export function parallel<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  options: ParallelOptions = {},
): OperatorFunction<Feeds<I>, ItemResult<O>> {
  checkKnown(PLACE, options, ['concurrency', 'failFast', 'over', 'run', 'clock']);
  const { failFast = false, over, clock = () => performance.now() } = options;
  const concurrency = readCount(PLACE, 'concurrency', options.concurrency ?? environment().threads);
  checkFunction(PLACE, 'clock', clock);
  if (typeof failFast !== 'boolean')
    throw fault('E_ARGUMENT', { place: PLACE, rule: 'failFast is true or false', actual: describeValue(failFast) });
  const operator = over === undefined ? run(graph, lasting(options.run)) : runOf(over, graph, options);
  const work = ({ feeds, index }: { readonly feeds: Feeds<I>; readonly index: number }): Observable<ItemResult<O>> =>
    defer(() => {
      const from = clock();
      const timeMs = (): number => Math.max(0, clock() - from);
      return of(feeds).pipe(
        operator,
        throwIfEmpty(noAnswer),
        map((outputs): ItemResult<O> => ({ index, timeMs: timeMs(), outputs, error: undefined })),
        catchError((error: unknown) =>
          failFast
            ? throwError(() => ofItem(index, error))
            : of({ index, timeMs: timeMs(), outputs: undefined, error: ofItem(index, error) }),
        ),
      );
    });
  return pipe(
    map((feeds, index) => ({ feeds, index })),
    (items$) => defer(() => items$.pipe(inOrder(work, concurrency, noLoad()))),
  );
}

/** @throws EinstreamError E_ARGUMENT for outputs that end before they are told */
function lasting(options: RunOptions = {}): RunOptions {
  if (options.outputs === 'borrow')
    throw fault('E_ARGUMENT', {
      place: PLACE,
      rule: 'results that wait for those before them cannot be lent',
      expected: "outputs: 'copy'",
    });
  return options;
}

function runOf<I extends Names, O extends Names>(
  over: Runner,
  graph: Graph<I, O>,
  options: ParallelOptions,
): OperatorFunction<Feeds<I>, Outputs<O>> {
  if (typeof over?.run !== 'function')
    throw fault('E_ARGUMENT', { place: PLACE, rule: 'over is something with run(graph)', actual: describeValue(over) });
  if (options.run !== undefined)
    throw fault('E_ARGUMENT', {
      place: PLACE,
      rule: 'run is for the engine itself',
      hint: 'give these options to what you run over',
    });
  return over.run(graph);
}

const noAnswer = (): EinstreamError =>
  fault('E_CONSUMER', { place: PLACE, rule: 'each item gives one output', actual: 'its run ended without one' });
