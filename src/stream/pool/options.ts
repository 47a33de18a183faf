/**
 * @file What a pool can be told, with defaults, checked.
 */
import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { environment } from '../../backends/index.js';
import type { Diagnostic } from '../../errors/index.js';
import { choice, finite, number, wrong } from './checks.js';
import { checkKnown } from '../options.js';
import { readRetry, type Backoff, type PoolRetry } from './backoff.js';

/** What holds for every pool, whoever computes. */
export interface CommonPoolOptions {
  /** Requests that may wait, 1024 by default. One more is E_QUEUE_FULL, in the same tick. */
  readonly maxQueue?: number;
  /** Bytes that the feeds of waiting requests may have, 256 MiB by default. */
  readonly maxQueueBytes?: number;
  /** Milliseconds from asking to the answer, queue and retries included; no limit by default. */
  readonly timeoutMs?: number;
  /** Milliseconds that one attempt may take before its worker is replaced and the request tried again; no limit by default. */
  readonly attemptTimeoutMs?: number;
  /** Milliseconds in which a run that was cancelled may end by itself before its worker is replaced; 50 by default. */
  readonly graceMs?: number;
  /** What becomes of a request whose worker is lost. */
  readonly retry?: PoolRetry;
  /** After so many workers were lost on one graph, without an answer in between, it is refused for a time: 5, and 1000 ms. */
  readonly circuit?: { readonly losses?: number; readonly resetMs?: number };
  /** All timers; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
  /** Milliseconds, never running back; the scheduler's where one is given, `performance.now` otherwise. */
  readonly clock?: () => number;
  /** Numbers from 0 to 1 for jitter; `Math.random` by default. */
  readonly random?: () => number;
  /** Hears of workers that were lost, and of what was done in their place. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/** What `executorPool` can be told. */
export interface PoolOptions extends CommonPoolOptions {
  /** Workers that compute at the same time; by default one for each core but one, and one at least. */
  readonly workers?: number;
  /** Workers beyond those, ready to take the place of one that is lost; 0 by default. */
  readonly spares?: number;
  /** Runs that a worker holds at a time: it computes one, and a second need not be waited for. 1 by default. */
  readonly perWorker?: number;
  /** `'thread'` (default), or `'process'` on Node: a process can be killed, and can have limits of its own. */
  readonly kind?: 'thread' | 'process';
  /** The backend of each worker; by default as `run` chooses. */
  readonly backend?: 'js' | 'wasm';
  /** A script that calls `poolWorker`, in place of the package's own. */
  readonly script?: string | URL;
  /** MiB that a worker's heap may take, and those that the tensors of one run may; no limit by default. */
  readonly memoryMb?: number;
  /** `'inProcess'`: while no worker is there, this thread computes. `'never'` (default). */
  readonly degrade?: 'never' | 'inProcess';
  /** Milliseconds in which a worker must come up; 30,000 by default. */
  readonly startMs?: number;
}

export interface Settings {
  readonly maxQueue: number;
  readonly maxQueueBytes: number;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly graceMs: number;
  readonly startMs: number;
  readonly retry: Backoff;
  readonly circuit: { readonly losses: number; readonly resetMs: number };
  readonly scheduler: SchedulerLike;
  readonly clock: () => number;
  readonly random: () => number;
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined;
  /** Hands that work at the same time. */
  readonly workers: number;
  /** Runs of one hand at the same time. */
  readonly capacity: number;
  /** A hand computes its runs one after another, in the order in which they were given. */
  readonly inOrder: boolean;
  readonly degrade: 'never' | 'inProcess';
}

const COMMON =
  'maxQueue maxQueueBytes timeoutMs attemptTimeoutMs graceMs retry circuit scheduler clock random onDiagnostic'.split(' ');
const OWN = 'workers spares perWorker kind backend script memoryMb degrade startMs'.split(' ');

/** @throws EinstreamError E_ARGUMENT */
export function commonSettings(
  options: CommonPoolOptions,
  place: string,
  more: readonly string[] = [],
): Omit<Settings, 'workers' | 'capacity' | 'inOrder' | 'degrade' | 'startMs'> {
  checkKnown(place, options, [...COMMON, ...more]);
  const { scheduler = asyncScheduler, circuit = {}, random = Math.random, onDiagnostic } = options;
  checkKnown('circuit', circuit, ['losses', 'resetMs']);
  const ownClock = options.scheduler === undefined ? () => performance.now() : () => scheduler.now();
  const clock: unknown = options.clock ?? ownClock;
  for (const [name, given] of Object.entries({ clock, random, onDiagnostic: onDiagnostic ?? random }))
    if (typeof given !== 'function') throw wrong(name, 'it is a function', given);
  if (typeof scheduler?.schedule !== 'function') throw wrong('scheduler', 'it is a scheduler of RxJS', scheduler);
  return {
    maxQueue: number('maxQueue', options.maxQueue ?? 1024, 0, 'integer'),
    maxQueueBytes: number('maxQueueBytes', options.maxQueueBytes ?? 2 ** 28, 0),
    timeoutMs: number('timeoutMs', options.timeoutMs ?? Infinity, 0),
    attemptTimeoutMs: number('attemptTimeoutMs', options.attemptTimeoutMs ?? Infinity, 0),
    graceMs: number('graceMs', options.graceMs ?? 50, 0),
    retry: readRetry(options.retry),
    circuit: {
      losses: number('circuit.losses', circuit.losses ?? 5, 1, 'integer'),
      resetMs: number('circuit.resetMs', circuit.resetMs ?? 1000, 0),
    },
    scheduler,
    clock: clock as () => number,
    random,
    onDiagnostic,
  };
}

export interface PoolSettings extends Settings {
  readonly spares: number;
  readonly kind: 'thread' | 'process';
  readonly backend: 'js' | 'wasm' | undefined;
  readonly script: string | URL | undefined;
  readonly memoryBytes: number;
}

/** @throws EinstreamError E_ARGUMENT */
export function poolSettings(options: PoolOptions): PoolSettings {
  const common = commonSettings(options, 'executorPool', OWN);
  const { workers = Math.max(1, environment().threads - 1), spares = 0, memoryMb, script } = options;
  if (script !== undefined && typeof script !== 'string' && !(script instanceof URL))
    throw wrong('script', 'it is a path or an URL', script);
  return {
    ...common,
    workers: finite('workers', workers, 1),
    spares: finite('spares', spares, 0),
    inOrder: true,
    capacity: finite('perWorker', options.perWorker ?? 1, 1),
    startMs: number('startMs', options.startMs ?? 30_000, 0),
    kind: choice('kind', options.kind, ['thread', 'process']) ?? 'thread',
    backend: choice('backend', options.backend, ['js', 'wasm']),
    degrade: choice('degrade', options.degrade, ['never', 'inProcess']) ?? 'never',
    memoryBytes: memoryMb === undefined ? 0 : finite('memoryMb', memoryMb, 1) * 2 ** 20,
    script,
  };
}
