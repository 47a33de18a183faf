/**
 * @file What a job is, and where it stands.
 */
import { asyncScheduler, isObservable, type Observable, type OperatorFunction, type SchedulerLike } from 'rxjs';
import { describeValue, fault } from '../../errors/index.js';
import type { Checkpoint } from './checkpoint.js';
import type { CommittingSink } from './sink.js';
import type { Stage } from './stage.js';
import type { CheckpointStore } from './store.js';
import type { CheckpointOptions } from './vault.js';

/** A job that can be killed: where its items come from, what is done with them, where the outputs go, and where it is written down. */
export interface CheckpointedJob<T, R> extends CheckpointOptions {
  /** All items but the first `position`, always the same ones in the same order. */
  readonly source: (position: number) => Iterable<T> | AsyncIterable<T>;
  /** The operators. Outputs follow from items and kept states alone: no clock, no randomness but from a kept state. */
  readonly through: (stage: Stage) => OperatorFunction<T, R>;
  readonly sink: CommittingSink<R>;
  readonly store: CheckpointStore;
  /** Items between two barriers, an integer ≥ 1. Needed, unless `everyMs` or `barriers$` is there. */
  readonly every?: number;
  /** Milliseconds between two barriers, also while the source is silent. By default no time calls for one. */
  readonly everyMs?: number;
  /** Each of its values calls for a barrier, also while the source is silent: to stop where nothing is lost. An error ends the job. */
  readonly barriers$?: Observable<unknown>;
  /** Items that may be in flight at one time, an integer ≥ 1, by default 16. */
  readonly ahead?: number;
  /** When a barrier is due and the checkpoint before it is still being written: `wait` holds the source back (default), `skip` goes on. */
  readonly whenBusy?: 'wait' | 'skip';
  /** When a checkpoint cannot be written: `error` ends the job (default); `continue` warns `onDiagnostic` and tries again at the next barrier. */
  readonly onFailure?: 'error' | 'continue';
  /** Of `everyMs`; by default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/** Where a job stands, at a checkpoint that is safe. */
export interface JobProgress {
  /** Of the checkpoint. */
  readonly id: string;
  /** Items read, of the whole job. */
  readonly position: number;
  /** Outputs written, of the whole job. */
  readonly outputs: number;
  /** Barriers of this run that were left out, as the checkpoint before was still being written. */
  readonly skipped: number;
  /** Checkpoints of this run that could not be written. */
  readonly failed: number;
  /** True at the last. */
  readonly isComplete: boolean;
}

export type Settings<T, R> = CheckpointedJob<T, R> &
  Required<Pick<CheckpointedJob<T, R>, 'every' | 'ahead' | 'whenBusy' | 'onFailure' | 'scheduler'>>;

/** @throws EinstreamError E_ARGUMENT */
export function readJob<T, R>(job: CheckpointedJob<T, R>): Settings<T, R> {
  if (typeof job !== 'object' || job === null) throw wrong('job', 'a job is one object', job);
  const { every = Infinity, everyMs, ahead = 16, whenBusy = 'wait', onFailure = 'error', scheduler = asyncScheduler } = job;
  for (const name of ['source', 'through'] as const)
    if (typeof job[name] !== 'function') throw wrong(name, 'it is a function', job[name]);
  const sink = job.sink as Partial<CommittingSink<R>> | undefined;
  if (typeof sink?.open !== 'function' || typeof sink.write !== 'function' || typeof sink.commit !== 'function')
    throw wrong('sink', 'a sink opens, writes and commits', job.sink);
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
  if (job.every !== undefined && !isCount(every)) throw wrong('every', 'items are counted, from 1', every);
  if (everyMs !== undefined && !(everyMs > 0 && everyMs < Infinity)) throw wrong('everyMs', 'time is above 0', everyMs);
  if (job.barriers$ !== undefined && !isObservable(job.barriers$)) throw wrong('barriers$', 'it is an Observable', job.barriers$);
  if (job.every === undefined && everyMs === undefined && job.barriers$ === undefined)
    throw wrong('every', 'a job says when its barriers are due', undefined);
  if (!isCount(ahead)) throw wrong('ahead', 'items are counted, from 1', ahead);
  if (!['wait', 'skip'].includes(whenBusy)) throw wrong('whenBusy', 'a barrier waits or is skipped', whenBusy);
  if (!['error', 'continue'].includes(onFailure))
    throw wrong('onFailure', 'a failure is an error, or the job continues', onFailure);
  return { ...job, every, ahead, whenBusy, onFailure, scheduler };
}

const wrong = (place: string, rule: string, actual: unknown) =>
  fault('E_ARGUMENT', { place, rule, actual: describeValue(actual) });

/** What a job writes down: a checkpoint of five sections. */
export interface Standing {
  /** Items read. */
  readonly position: number;
  /** Outputs written. */
  readonly outputs: number;
  /** The source ended, and all outputs are there. */
  readonly isComplete: boolean;
  readonly states: Readonly<Record<string, unknown>>;
  /** Of the sink. */
  readonly mark: unknown;
}

export const BEGINNING: Standing = Object.freeze({
  position: 0,
  outputs: 0,
  isComplete: false,
  states: Object.freeze({}),
  mark: undefined,
});

/** @throws EinstreamError E_ARGUMENT for a checkpoint that no job wrote */
export function standingOf(checkpoint: Checkpoint): Standing {
  const { position, outputs, isComplete, states, mark } = checkpoint;
  const isRight =
    Number.isSafeInteger(position) && Number.isSafeInteger(outputs) && typeof isComplete === 'boolean' && typeof states === 'object' && states !== null; // prettier-ignore
  if (isRight) return { position, outputs, isComplete, states, mark } as Standing;
  throw fault('E_ARGUMENT', {
    place: 'store',
    rule: 'a job goes on from a checkpoint that a job wrote',
    actual: `sections ${Object.keys(checkpoint).join(', ')}`,
    hint: 'give each program a store of its own',
  });
}
