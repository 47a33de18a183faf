/**
 * @file `recovering`: a graph as an operator from feeds to results, one for each feed, whatever fails.
 */
import {
  asyncScheduler,
  catchError,
  concatMap,
  defer,
  map,
  of,
  throwError,
  timeout,
  type Observable,
  type OperatorFunction,
  type SchedulerLike,
} from 'rxjs';
import { fault, humanMs, isTransient, type EinstreamError } from '../errors/index.js';
import type { Graph, Names } from '../graph/graph.js';
import { run, type Feeds, type Outputs, type RunOptions } from '../run/index.js';
import { readConfig, type RecoveryConfig, type Settled } from './config.js';
import { history, type History } from './history.js';
import { minding } from './minding.js';
import type { RecoveryResult } from './result.js';
import { retried } from './retried.js';
import type { Cache } from './substitute.js';

/** What a run that recovers may be told beside how: `run`'s options, with outputs that can be kept. */
export type RecoveringOptions = Omit<RunOptions, 'outputs'>;

/**
 * Runs a graph on each feed, in order, and gives a result for each: outputs, those outputs that failed nodes are not needed for,
 * or the failure. A feed that fails does not end the stream; an error of the source itself does.
 *
 * Attempts of one feed hold the next ones back. What each strategy does stands at `RecoveryStrategy`. Failures that would come
 * again, such as a feed of the wrong shape, are not tried again.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, 2) }));
 * of({ x: [1, 2] }, { x: [1, 2, 3] }).pipe(recovering(g), map((result) => result.kind)) // => ['success', 'failure']
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a configuration or options that are none, and the first fault of a broken graph, at the call
 */
export function recovering<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  config: RecoveryConfig = {},
  options: RecoveringOptions = {},
): OperatorFunction<Feeds<I>, RecoveryResult<O>> {
  const settled = readConfig(config);
  const { scheduler = asyncScheduler } = config;
  const other = fallbackOf(graph, settled, options);
  void run(graph, options); // its faults belong to the call
  return (feeds$) =>
    defer(() => {
      const cache: Cache = new Map();
      return feeds$.pipe(
        concatMap((feeds) =>
          defer(() => {
            const past = history(settled, scheduler);
            const use = [minding(settled, past, cache, scheduler), ...(options.use ?? [])];
            const primary$ = defer(() => of(feeds).pipe(run(graph, { ...options, use })));
            const whole$ = settled.strategy === 'checkpoint' ? restarted(primary$, settled, past, scheduler) : primary$;
            const rescued$ = whole$.pipe(
              map((outputs): RecoveryResult<O> => resultOf(outputs, past)),
              catchError((error: unknown) => {
                if (other === undefined || past.tooMany()) return throwError(() => error);
                return of(feeds as Feeds).pipe(
                  other,
                  map((outputs) => fallenBack(outputs as Outputs<O>, past)),
                );
              }),
            );
            return within(rescued$, settled.timeoutMs, scheduler).pipe(
              catchError((error: unknown) => {
                if (!past.has(error)) past.failed(error, 1);
                return of<RecoveryResult<O>>({ kind: 'failure', error, failures: past.failures, stats: past.stats() });
              }),
            );
          }),
        ),
      );
    });
}

/**
 * `recovering` for one feed.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, 2) }));
 * runWithRecovery(g, { x: [1, 2] }, recovery.retry(3)).pipe(map((result) => result.kind)) // => ['success']
 * ```
 *
 * @throws EinstreamError as `recovering`
 */
export const runWithRecovery = <I extends Names, O extends Names>(
  graph: Graph<I, O>,
  feeds: Feeds<I>,
  config: RecoveryConfig = {},
  options: RecoveringOptions = {},
): Observable<RecoveryResult<O>> => of(feeds).pipe(recovering(graph, config, options));

function fallbackOf(graph: Graph, { strategy }: Settled, options: RunOptions): OperatorFunction<Feeds, Outputs> | undefined {
  if (typeof strategy !== 'object' || !('fallbackTo' in strategy)) return undefined;
  const { fallbackTo } = strategy;
  return 'chunks' in fallbackTo ? run(fallbackTo, options) : run(graph, { ...options, backend: fallbackTo });
}

/** The whole feed again, from what checkpoints hold. */
const restarted = <T>(work$: Observable<T>, { retryPolicy }: Settled, past: History, scheduler: SchedulerLike): Observable<T> =>
  retried(work$, retryPolicy, {
    scheduler,
    failed(error, attempt) {
      if (!past.has(error)) past.failed(error, attempt);
      past.restart();
      const isOver = past.tooMany() || !isTransient(error);
      if (!isOver && attempt <= retryPolicy.count) past.retried();
      return isOver;
    },
  });

function resultOf<O extends Names>(outputs: Outputs<O>, past: History): RecoveryResult<O> {
  const common = { failures: past.failures, stats: past.stats() };
  const { substituted } = past;
  if (past.lost.size === 0)
    return { kind: 'success', outputs, path: 'primary', degraded: substituted.length > 0, substituted, ...common };
  const left = Object.entries(outputs).filter(([key]) => !past.lostKeys.has(key));
  const some = Object.assign(Object.create(null) as object, Object.fromEntries(left)) as Partial<Outputs<O>>;
  return { kind: 'partialSuccess', outputs: some, failedNodes: [...past.lost.values()], ...common };
}

const fallenBack = <O extends Names>(outputs: Outputs<O>, past: History): RecoveryResult<O> => ({
  kind: 'success',
  outputs,
  path: 'fallback',
  degraded: true,
  substituted: [],
  failures: past.failures,
  stats: past.stats(),
});

const within = <T>(work$: Observable<T>, ms: number | undefined, scheduler: SchedulerLike): Observable<T> =>
  ms === undefined ? work$ : work$.pipe(timeout({ first: ms, scheduler, with: () => throwError(() => overran(ms)) }));

const overran = (ms: number): EinstreamError =>
  fault('E_TIMEOUT', {
    place: 'recovering',
    rule: 'a feed must be done in time, waits between attempts included',
    expected: `within ${humanMs(ms)}`,
    hint: 'raise timeoutMs, or retry less',
  });
