/**
 * @file `runStreamAsync`: a graph on a source that is pulled, several items at once, with limits.
 */
import { isObservable, of, type Observable, type SchedulerLike } from 'rxjs';
import type { Graph, Names } from '../../graph/graph.js';
import type { Feeds, Outputs } from '../../run/feeds.js';
import type { RunOptions } from '../../run/options.js';
import { run } from '../../run/run.js';
import { readAsyncConfig } from './async-config.js';
import { attempts } from './attempts.js';
import { calling } from './failures.js';
import type { Flow } from './flow.js';
import { checkPolicy, fromObservable, type DropPolicy, type DropStats } from './from-observable.js';
import { inOrder, noLoad, type Load } from './in-order.js';
import type { Pullable } from './pull-async.js';
import { pulled } from './pulled.js';
import { through } from './through.js';
import { toObservable } from './to-observable.js';

/** Limits of `runStreamAsync`. Each of them acts. */
export interface AsyncConfig {
  /** Items that are computed at once; 4 by default. A result keeps its place until those before it have left. */
  readonly maxConcurrent?: number;
  /** Items that wait to be computed; 100 by default. A source that can wait is not read further. */
  readonly backpressureThreshold?: number;
  /** Milliseconds for one attempt at an item, after which its work is stopped and it fails with E_TIMEOUT; no limit by default. */
  readonly timeoutMs?: number;
  /** Try an item again that failed for a reason that may pass (time, a kernel, a backend; not a feed that does not fit); false by default. */
  readonly retry?: boolean;
  /** Attempts after the first; 3 by default. */
  readonly maxRetries?: number;
  /** Milliseconds before each further attempt, on the scheduler; 100 by default. */
  readonly backoffMs?: number;
  /** What happens to the items of an Observable when `backpressureThreshold` of them wait. An Observable needs one; no other source does. */
  readonly policy?: DropPolicy;
  /** Hears of each item that the policy drops. */
  readonly onDrop?: (item: Feeds, stats: DropStats) => void;
  /** Times attempts and waits; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
  /** Called at each subscription, with a function that reads its counts. */
  readonly stats?: (read: () => AsyncStreamStats) => void;
  /** How the graph runs: backend, level, middleware. */
  readonly run?: RunOptions;
}

/** Counts of one subscription. received = delivered + dropped + running + buffered, while nothing has failed. */
export interface AsyncStreamStats {
  readonly received: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly running: number;
  readonly buffered: number;
  readonly peakRunning: number;
  readonly peakBuffered: number;
}

/**
 * Runs a graph on each feed of a source, at most `maxConcurrent` at once and with at most `backpressureThreshold` waiting; outputs are in
 * order. The source is read no further than that: an Iterable, an AsyncIterable, a stream of Node or the web, or a flow. An Observable
 * cannot wait, so it needs a `policy`.
 *
 * The first item that fails for good ends the stream; unsubscribing stops all work and the source. Work of a synchronous backend blocks
 * the timers: its time is looked at when it ends.
 *
 * ```ts
 * async function* feeds() { for (let x = 0; x < 3; x++) yield { x }; }
 * const g = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
 * runStreamAsync(g, feeds(), { maxConcurrent: 2 }).pipe(map(({ y }) => y.toArray())) // => [0, 2, 4]
 * runStreamAsync(g, of({ x: 1 })) // => throws E_DEMAND
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong limits, E_DEMAND for an Observable without a policy, and what `run` throws, at the call;
 *   E_TIMEOUT, and what `run` puts on the stream
 */
export function runStreamAsync<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  source: Pullable<Feeds<I>> | Flow<Feeds<I>> | Observable<Feeds<I>>,
  config: AsyncConfig = {},
): Observable<Outputs<O>> {
  const { maxConcurrent, threshold, limits, run: options } = readAsyncConfig(config);
  const operator = run(graph, options);
  const work = (feeds: Feeds<I>): Observable<Outputs<O>> => attempts(of(feeds).pipe(operator), limits);
  const flowOf = flowFrom(source, config, threshold);
  // What an Observable pushes waits in front of the edge, where the policy is; what is pulled waits behind it.
  const credits = isObservable(source) ? maxConcurrent : maxConcurrent + threshold;
  return toObservable({
    open(sink) {
      const load = noLoad();
      let before: (() => DropStats) | undefined;
      calling('stats', () => config.stats?.(() => countsOf(load, before?.())));
      through(inOrder(work, maxConcurrent, load), { credits })(flowOf((read) => void (before = read))).open(sink);
    },
  });
}

type Watch = (read: () => DropStats) => void;

/** @throws EinstreamError E_ARGUMENT or E_DEMAND for what is no source */
function flowFrom<T extends Feeds>(
  source: Pullable<T> | Flow<T> | Observable<T>,
  { policy, onDrop, scheduler, run: { onDiagnostic } = {} }: AsyncConfig,
  threshold: number,
): (watch: Watch) => Flow<T> {
  if (isObservable(source)) {
    const options = { policy, size: policy === 'latest' ? 1 : threshold, onDrop, onDiagnostic };
    checkPolicy('runStreamAsync', options);
    return (stats) => fromObservable(source, { ...options, stats });
  }
  const flow = isFlow(source) ? source : pulled(source, { scheduler, onDiagnostic });
  return () => flow;
}

/** A Readable of a file has an `open` of its own. */
const isFlow = <T>(source: Pullable<T> | Flow<T>): source is Flow<T> =>
  typeof (source as Partial<Flow<T>> | null)?.open === 'function' && !(Symbol.asyncIterator in (source as object));

/** Together with those that wait in front. */
function countsOf(load: Load, before: DropStats | undefined): AsyncStreamStats {
  if (before === undefined) return { ...load, dropped: 0 };
  const { received, dropped, waiting, peakWaiting } = before;
  return {
    ...load,
    received,
    dropped,
    buffered: load.buffered + waiting,
    peakBuffered: Math.max(load.peakBuffered, peakWaiting),
  };
}
