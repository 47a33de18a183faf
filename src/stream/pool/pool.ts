/**
 * @file `executorPool`: graphs computed by workers, beside the thread that asks.
 */
import { Observable, defer, distinctUntilChanged, map, startWith, type OperatorFunction } from 'rxjs';
import type { Graph, Names } from '../../graph/graph.js';
import type { Feeds, Outputs } from '../../run/index.js';
import { cancellable, type Cancellable } from '../../run/cancellable.js';
import { choice, number } from './checks.js';
import { checkKnown } from '../options.js';
import type { Desk } from './counter.js';
import { desk } from './desk.js';
import type { Hire } from './hand.js';
import { inProcess } from './in-process.js';
import type { PoolStats } from './ledger.js';
import { poolSettings, type PoolOptions, type PoolSettings } from './options.js';
import { planOf } from './plan.js';
import { pooled } from './pooled.js';
import { openThread } from './threads.js';
import type { Open } from './wire/channel.js';
import { wired } from './wire/wired.js';

/** How one request is asked for. */
export interface AskOptions {
  /** Cancels it; its reason is passed through. */
  readonly signal?: AbortSignal;
  /** Milliseconds; it may lower what holds for the pool. */
  readonly timeoutMs?: number;
  /** `false`: it is tried once, whatever becomes of its worker. */
  readonly idempotent?: boolean;
}

/** Computes graphs, several at once, and says how it does. Made by `executorPool` and `balance`. */
export interface ExecutorPool {
  /**
   * One answer for one feed. Wrong feeds, a full queue and a closed pool reject; the promise has `cancel`.
   *
   * @throws EinstreamError the first fault of a broken graph, at the call
   */
  evaluate<I extends Names, O extends Names>(graph: Graph<I, O>, feeds: Feeds<I>, options?: AskOptions): Cancellable<Outputs<O>>;
  /** An operator: one output for each feed, in their order, at most `concurrency` on their way; four for each worker by default. */
  run<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    options?: { readonly concurrency?: number },
  ): OperatorFunction<Feeds<I>, Outputs<O>>;
  stats(): PoolStats;
  /** The statistics now, and whenever they change; ends when the pool does. */
  readonly stats$: Observable<PoolStats>;
  /** Whether anyone is there to compute, now and whenever that changes. */
  readonly ready$: Observable<boolean>;
  /** Whether these outputs were computed by this thread, as no worker was there. */
  isDegraded(outputs: Outputs): boolean;
  /** Takes no more requests; answers those that there are (`'drain'`, by default) or rejects them with E_ABORT, and ends all workers. */
  close(options?: { readonly mode?: 'drain' | 'abort' }): Promise<void>;
}

/**
 * Starts workers that compute whole graphs: threads of Node or of a page, or child processes of Node. A graph is sent to a worker
 * once, and its params with it; feeds and outputs are handed over, not cloned.
 *
 * Requests wait in one bounded line. A worker that dies, hangs or answers nonsense is replaced, and what it held is tried again
 * elsewhere; what fails by itself (a shape, memory) is not. A run that is cancelled stops between two nodes where memory is shared
 * (threads on Node and on isolated pages), or its worker is replaced after `graceMs`. Idle workers keep no process alive.
 *
 * ```ts
 * const pool = await executorPool({ workers: 1 });
 * const doubled = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
 * (await pool.evaluate(doubled, { x: [1, 2] })).y.toArray() // => [2, 4]
 * of({ x: [1] }, { x: [2, 3] }).pipe(pool.run(doubled), map(({ y }) => y.toArray())) // => [[2], [4, 6]]
 * const { submitted, successful } = pool.stats();
 * [submitted, successful] // => [3, 3]
 * await pool.close()
 * ```
 *
 * @returns rejects with E_WORKER_LOST where no worker comes up, unless `degrade: 'inProcess'`
 * @throws EinstreamError E_ARGUMENT for wrong options, E_BACKEND for processes where there are none; both as rejections
 */
export async function executorPool(options: PoolOptions = {}): Promise<ExecutorPool> {
  const settings = poolSettings(options);
  return started(await hireOf(settings), settings);
}

async function hireOf({ kind, script, backend, memoryBytes }: PoolSettings): Promise<Hire> {
  const where = { script, heapBytes: memoryBytes };
  // A page has no use for processes, nor for the code that starts them.
  const open: Open = kind === 'thread' ? openThread(where) : (await import('./processes.js')).openProcess(where);
  return wired(open, { backend, tensorBytes: memoryBytes });
}

/** A pool of hands that are all hired in the same way. */
export function started(hire: Hire, settings: PoolSettings): Promise<ExecutorPool> {
  const { workers, spares, degrade, scheduler } = settings;
  const hires = Array.from({ length: workers + spares }, () => hire);
  const at = desk(hires, settings, degrade === 'inProcess' ? { inProcess: inProcess(scheduler) } : {});
  const pool = poolAt(at, 4 * workers);
  return new Promise((resolve, reject) =>
    at.start((present, error) => {
      if (present > 0 || degrade === 'inProcess') return resolve(pool);
      void pool.close({ mode: 'abort' }).finally(() => reject(error));
    }),
  );
}

/** What users see of a desk. @param concurrency of `run`, by default */
export function poolAt(at: Desk, concurrency: number): ExecutorPool {
  let over!: () => void;
  const drained = new Promise<void>((resolve) => (over = resolve));
  let closed: Promise<void> | undefined;
  const stats$ = defer(() => at.changed$.pipe(startWith(undefined), map(at.stats)));
  return Object.freeze<ExecutorPool>({
    evaluate(graph, feeds, { signal, ...asked } = {}) {
      checkKnown('evaluate', asked, ['timeoutMs', 'idempotent']);
      if (asked.timeoutMs !== undefined) number('timeoutMs', asked.timeoutMs, 0);
      const plan = planOf(graph);
      return cancellable((done, fail) => {
        let work;
        try {
          work = plan.workFor(feeds);
        } catch (error) {
          fail(at.refuse(error));
          return () => undefined;
        }
        return at.submit(work, { ...asked, done: done as (outputs: Outputs) => void, fail });
      }, signal);
    },
    run(graph, options = {}) {
      checkKnown('run', options, ['concurrency']);
      const most = number('concurrency', options.concurrency ?? concurrency, 1, 'integer');
      return pooled(at, planOf(graph), most) as OperatorFunction<Feeds, never>;
    },
    stats: at.stats,
    stats$,
    ready$: stats$.pipe(
      map(({ health }) => health === 'ready' || health === 'degraded'),
      distinctUntilChanged(),
    ),
    isDegraded: at.isDegraded,
    close({ mode = 'drain' } = {}) {
      choice('mode', mode, ['drain', 'abort']);
      closed ??= drained.then(at.end);
      at.close(mode, over);
      return closed;
    },
  });
}
