/**
 * @file `checkpointed`: a job that goes on where it was killed, and whose outputs are each there once.
 */
import type { Observable } from 'rxjs';
import { fromNewest } from './from-newest.js';
import { readJob, type CheckpointedJob, type JobProgress } from './job.js';
import { runJob } from './run-job.js';

/**
 * Runs a job from its last checkpoint on, or from the beginning where there is none, and emits once for each checkpoint that is safe.
 *
 * Items are pulled from the source. When a barrier is due, none is pulled until nothing is in flight; then position, states and the
 * sink's mark are taken together, and items flow again while they are written. After a crash the sink goes back to its mark, states
 * and source to theirs, and what follows is done again, at most what lies between two barriers: the outputs are those of a run that was
 * never interrupted. A job that has ended does nothing when it is run again. Unsubscribing is like a crash: the next run goes on.
 *
 * ```ts
 * const written: number[] = [];
 * const job: CheckpointedJob<number, number> = {
 *   source: (position) => [1, 2, 3, 4, 5].slice(position),
 *   through: () => scan((sum, x) => sum + x, 0),
 *   sink: { open: () => undefined, write: (sum) => void written.push(sum), commit: () => written.length },
 *   store: memoryStore(),
 *   every: 2,
 * };
 * checkpointed(job).pipe(map(({ position }) => position)) // => [2, 4, 5]
 * written // => [1, 3, 6, 10, 15]
 * checkpointed(job) // => []
 * ```
 *
 * A job that goes on needs operators that keep their states; see `Stage`.
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, at the call; on the stream E_CKPT_CORRUPT, E_CKPT_VERSION, E_CKPT_IO from the store,
 *   E_CONSUMER for a sink that throws, E_ARGUMENT for outputs that follow from no item; what source and operators throw, as it is
 */
export function checkpointed<T, R>(job: CheckpointedJob<T, R>): Observable<JobProgress> {
  const settings = readJob(job);
  return fromNewest(settings, (kept, standing) => runJob(settings, kept, standing));
}
