/**
 * @file `balance`: several executors as one.
 */
import type { Observable } from 'rxjs';
import { EinstreamError, describeValue, fault, type ErrorCode } from '../../errors/index.js';
import type { Graph } from '../../graph/graph.js';
import type { Feeds, Outputs } from '../../run/index.js';
import type { PoolRetry } from './backoff.js';
import { choice, number, wrong } from './checks.js';
import { desk } from './desk.js';
import type { Hire } from './hand.js';
import { commonSettings, type CommonPoolOptions } from './options.js';
import { poolAt, type ExecutorPool } from './pool.js';
import { leastLoaded, roundRobin } from './slot.js';

/** Whoever computes a graph for one feed: a pool, another thread's proxy, or `{ evaluate }` itself. */
export interface GraphExecutor {
  evaluate(graph: Graph, feeds: Feeds, options?: { readonly signal?: AbortSignal }): Promise<Outputs>;
  /** Without it, it counts as ready. */
  readonly ready$?: Observable<boolean>;
  close?(): Promise<void>;
}

/** How `balance` shares work out. */
export interface BalanceOptions extends Omit<CommonPoolOptions, 'graceMs'> {
  /** `'leastLoaded'` (default): whoever has fewest runs, and of those who has worked least; or `'roundRobin'`. */
  readonly strategy?: 'leastLoaded' | 'roundRobin';
  /** Runs that one executor is given at the same time; any number by default, as it may have a queue of its own. */
  readonly concurrency?: number;
}

/** Tried once more, elsewhere, at once. */
const ELSEWHERE: PoolRetry = { attempts: 2, delayMs: 0 };
/** What one executor cannot serve says nothing against the graph. */
const NO_CIRCUIT = { losses: Infinity };

/** That an executor could not serve says nothing of another one. */
const UNSERVED: ReadonlySet<ErrorCode> = new Set([
  'E_WORKER_LOST',
  'E_BACKEND_LOST',
  'E_NODE_LOST',
  'E_PARTITION',
  'E_QUEUE_FULL',
  'E_ABORT',
]);

/**
 * Shares work among executors of any kind. One that is not ready gets none; one that cannot serve a request, because its workers are
 * lost or it is closed, rests for a time, and the request is tried once more elsewhere. `close` ends the executors too.
 *
 * ```ts
 * const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
 * const both = balance([{ evaluate }, { evaluate }], { strategy: 'roundRobin' });
 * of(1, 2, 3, 4).pipe(map((x) => ({ x })), both.run(doubled), map(({ y }) => y.toArray())) // => [2, 4, 6, 8]
 * both.stats().workers.map(({ answered }) => answered) // => [2, 2]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for no executors, or wrong options
 */
export function balance(executors: readonly GraphExecutor[], options: BalanceOptions = {}): ExecutorPool {
  if (!Array.isArray(executors) || executors.length === 0)
    throw fault('E_ARGUMENT', {
      place: 'balance',
      rule: 'work needs somebody to do it',
      expected: 'a list of executors',
      actual: Array.isArray(executors) ? 'an empty list' : describeValue(executors),
      hint: 'balance([{ evaluate }, pool])',
    });
  for (const each of executors as readonly Partial<GraphExecutor>[])
    if (typeof each?.evaluate !== 'function') throw wrong('balance', 'an executor has a method evaluate', each);
  const { strategy, concurrency = Infinity, ...rest } = options;
  if ('graceMs' in rest) throw wrong('graceMs', 'an executor is not replaced, however long it runs', rest.graceMs);
  const common = commonSettings({ retry: ELSEWHERE, circuit: NO_CIRCUIT, ...rest }, 'balance');
  const at = desk(
    executors.map((executor) => handOf(executor)),
    {
      ...common,
      graceMs: Infinity,
      startMs: Infinity,
      workers: Infinity,
      inOrder: false,
      degrade: 'never',
      capacity: number('concurrency', concurrency, 1, 'integer'),
    },
    { pick: choice('strategy', strategy, ['leastLoaded', 'roundRobin']) === 'roundRobin' ? roundRobin() : leastLoaded },
  );
  at.start(() => undefined);
  const end = async (): Promise<void> => {
    await at.end();
    await Promise.all(executors.map((executor) => executor.close?.()));
  };
  return poolAt({ ...at, end }, 4 * executors.length);
}

const handOf =
  (executor: GraphExecutor): Hire =>
  ({ ready, done, failed, unserved, lost }) => {
    const running = new Map<number, AbortController>();
    const gone = (rule: string): void => lost(fault('E_BACKEND_LOST', { place: 'balance', rule }));
    let wasReady = false;
    const subscription = executor.ready$?.subscribe({
      next(isReady) {
        if (isReady) ready();
        else if (wasReady) gone('an executor that is not ready gets no work');
        wasReady = isReady;
      },
      error: () => gone("an executor's ready$ must not fail"),
      complete: () => gone('an executor that is closed gets no work'),
    });
    if (subscription === undefined) ready();
    return {
      run(run, { plan, feeds }) {
        const controller = new AbortController();
        running.set(run, controller);
        const fail = (error: unknown): void => {
          running.delete(run);
          if (error instanceof EinstreamError && UNSERVED.has(error.code)) unserved(run, error);
          else failed(run, error);
        };
        try {
          executor.evaluate(plan.graph, Object.fromEntries(feeds), { signal: controller.signal }).then((outputs) => {
            running.delete(run);
            done(run, outputs);
          }, fail);
        } catch (error) {
          fail(error);
        }
      },
      cancel: (run) => running.get(run)?.abort(),
      hold: () => undefined,
      end() {
        subscription?.unsubscribe();
        for (const controller of running.values()) controller.abort();
        return Promise.resolve();
      },
    };
  };
