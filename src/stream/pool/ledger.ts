/**
 * @file The ledger: each request is counted when it comes and when it ends, once.
 */

/** How a request ended. */
export type Ending = 'successful' | 'failed' | 'timeouts' | 'cancelled';

/** One worker, or one executor, of a pool. */
export interface WorkerStats {
  readonly state: 'starting' | 'idle' | 'busy' | 'down';
  /** Requests answered in this place, and the milliseconds they took. */
  readonly answered: number;
  readonly busyMs: number;
  /** Of the worker's process, where it has one. */
  readonly pid: number | undefined;
}

/** A pool at one moment: submitted = successful + failed + timeouts + cancelled + inFlight, always. */
export interface PoolStats {
  readonly submitted: number;
  readonly successful: number;
  readonly failed: number;
  readonly timeouts: number;
  readonly cancelled: number;
  /** Waiting, running, or about to be tried again. */
  readonly inFlight: number;
  /** Those that have ended. */
  readonly totalExecutions: number;
  /** Milliseconds from start to answer of the successful ones, and from asking to the first start; 0 where there are none. */
  readonly avgExecutionMs: number;
  readonly avgQueueTimeMs: number;
  /** Most that ran at the same time. */
  readonly peakConcurrent: number;
  readonly running: number;
  readonly queued: number;
  readonly queuedBytes: number;
  /** Among `failed`: refused because too many waited. */
  readonly refused: number;
  /** Attempts beyond the first of each request. */
  readonly retries: number;
  /** Workers lost, replaced because of a timeout or a cancellation, and replaced because they answered nonsense. */
  readonly lost: number;
  readonly replaced: number;
  readonly quarantined: number;
  /** Answers to what whoever gave them did not hold: given twice, or never asked for. One who was ended is not heard any more. */
  readonly strays: number;
  /** Computed by this thread, as no worker was there. */
  readonly degraded: number;
  /** `'ready'`: all workers are there; `'degraded'`: some; `'down'`: none; `'closed'`. */
  readonly health: 'ready' | 'degraded' | 'down' | 'closed';
  readonly workers: readonly WorkerStats[];
}

/** What is counted as it happens. */
export interface Counts {
  submitted: number;
  readonly ended: Record<Ending, number>;
  executionMs: number;
  started: number;
  queueMs: number;
  running: number;
  peakConcurrent: number;
  refused: number;
  retries: number;
  lost: number;
  replaced: number;
  quarantined: number;
  strays: number;
  degraded: number;
}

export const emptyCounts = (): Counts => ({
  submitted: 0,
  ended: { successful: 0, failed: 0, timeouts: 0, cancelled: 0 },
  executionMs: 0,
  started: 0,
  queueMs: 0,
  running: 0,
  peakConcurrent: 0,
  refused: 0,
  retries: 0,
  lost: 0,
  replaced: 0,
  quarantined: 0,
  strays: 0,
  degraded: 0,
});

export function statsOf(
  { ended, executionMs, started, queueMs, ...counts }: Counts,
  present: Pick<PoolStats, 'queued' | 'queuedBytes' | 'health' | 'workers' | 'inFlight'>,
): PoolStats {
  const totalExecutions = ended.successful + ended.failed + ended.timeouts + ended.cancelled;
  return {
    ...counts,
    ...ended,
    ...present,
    totalExecutions,
    avgExecutionMs: ended.successful === 0 ? 0 : executionMs / ended.successful,
    avgQueueTimeMs: started === 0 ? 0 : queueMs / started,
  };
}
