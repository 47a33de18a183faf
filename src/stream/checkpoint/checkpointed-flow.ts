/**
 * @file `checkpointedFlow`: a job of flows, whose barriers pass through the graph of its stages while data flows, or is blocked.
 */
import type { Observable } from 'rxjs';
import { describeValue, fault } from '../../errors/index.js';
import type { Flow } from '../demand/flow.js';
import { runFlowJob } from './flow-job.js';
import { fromNewest } from './from-newest.js';
import type { FlowStage } from './flow-stage.js';
import { readJob, type CheckpointedJob, type JobProgress, type Settings } from './job.js';

/** As `CheckpointedJob`, with flows in place of operators. */
export interface CheckpointedFlowJob<T, R> extends Omit<CheckpointedJob<T, R>, 'through' | 'ahead' | 'whenBusy' | 'onFailure'> {
  /** The way from items to outputs, of stages with names. Outputs follow from items and kept states alone. */
  readonly flow: (items: Flow<T>, stage: FlowStage) => Flow<R>;
}

export type FlowSettings<T, R> = CheckpointedFlowJob<T, R> & Pick<Settings<T, R>, 'every' | 'scheduler'>;

/**
 * Runs a job of flows from its last checkpoint on, or from the beginning where there is none, and emits once for each checkpoint that is safe.
 *
 * When one is due, a barrier enters behind the item that was told last, and goes through each stage by itself, without credit. A stage
 * with an operator waits until what is in it has come out, which needs nobody's demand; a join waits until the barrier is there on all
 * of its inputs. What waits for credit then is a part of the stage's state, with what its operator keeps, and the barrier overtakes it. So
 * a checkpoint is taken while outputs flow, and also while the sink takes none: the source is never held back for it. Once the source has
 * ended, the next one is that of the end.
 *
 * `checkpointed` is the simpler choice where one chain of operators does: it has nothing in flight to write down.
 *
 * ```ts
 * const written: number[] = [];
 * const job: CheckpointedFlowJob<number, { square: number; x: number }> = {
 *   source: (position) => [1, 2, 3].slice(position),
 *   flow(items, stage) {
 *     const [a, b] = fork(items, 2);
 *     const squares = stage.through('square', () => map((x: number) => x * x), { credits: 2 })(a);
 *     return stage.join('both', { square: squares, x: b });
 *   },
 *   sink: { open: () => undefined, write: ({ square, x }) => void written.push(square + x), commit: () => written.length },
 *   store: memoryStore(),
 *   every: 2,
 * };
 * checkpointedFlow(job).pipe(map(({ position }) => position)) // => [2, 3]
 * written // => [2, 6, 12]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, at the call; on the stream E_CKPT_CORRUPT, E_CKPT_VERSION, E_CKPT_IO from the store,
 *   E_CONSUMER for a sink that throws, E_ARGUMENT for a stage without a name; what source and operators throw, as it is
 */
export function checkpointedFlow<T, R>(job: CheckpointedFlowJob<T, R>): Observable<JobProgress> {
  if (typeof job !== 'object' || job === null || typeof job.flow !== 'function')
    throw fault('E_ARGUMENT', { place: 'flow', rule: 'it is a function', actual: describeValue(job?.flow) });
  // The same rules as for other jobs.
  const { every, scheduler } = readJob<T, R>({ ...job, through: () => (items$) => items$ as never });
  const settings: FlowSettings<T, R> = { ...job, every, scheduler };
  return fromNewest(settings, (kept, standing) => runFlowJob(settings, kept, standing));
}
