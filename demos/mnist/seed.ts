/**
 * @file One seed from its start, or from where it was stopped, to its end, or to where it is stopped.
 */
import { defer, last, map, takeWhile, withLatestFrom, type Observable } from 'rxjs';
import type { Backend } from '../../src/index.js';
import type { Checkpoint } from './checkpoint.js';
import type { Digits } from './digits.js';
import { batchesPerEpoch, learning, type Grade } from './learn.js';
import type { Screen } from './screen.js';

export interface Course {
  readonly seed: number;
  readonly epochs: number;
  readonly known: Digits;
  readonly backend: Backend;
  readonly grade: (weights: Readonly<Record<string, unknown>>) => Grade;
  readonly checkpoint: Checkpoint;
  readonly screen: Screen;
  /** Emits at once, and true when the user wants to stop. */
  readonly stopping$: Observable<boolean>;
}

/** Where a training stands. */
export interface Standing extends Grade {
  readonly seed: number;
  readonly step: number;
  readonly steps: number;
  readonly epoch: number;
  readonly epochs: number;
  /** Of each batch so far. */
  readonly losses: readonly number[];
  readonly isStopped: boolean;
  /** Processor seconds of this process for this seed. */
  readonly seconds: number;
}

/** The last standing: of the end, or of the step after which it was stopped, which is on disk then. */
export const course = ({ seed, epochs, known, backend, grade, checkpoint, screen, stopping$ }: Course): Observable<Standing> =>
  defer(() => {
    const began = process.cpuUsage();
    const saved = checkpoint.read();
    const perEpoch = batchesPerEpoch(known);
    const steps = epochs * perEpoch;
    const losses = [...((saved?.notes?.['losses'] as readonly number[] | undefined) ?? [])];
    let graded: Grade = { loss: NaN, accuracy: NaN };
    const standing = (step: number, isStopped: boolean): Standing => {
      const { user, system } = process.cpuUsage(began);
      const epoch = Math.ceil(step / perEpoch);
      return { ...graded, seed, step, steps, epoch, epochs, losses, isStopped, seconds: (user + system) / 1e6 };
    };
    if (saved === undefined) screen.begins(standing(0, false), known.count);
    else {
      if (saved.batches >= steps)
        throw new Error(`seed ${seed} was saved after step ${saved.step}: give more --epochs than ${epochs}, or --fresh`);
      graded = grade(saved.params);
      screen.resumes(standing(saved.step, false), checkpoint.path);
    }
    return learning(seed, epochs, known, backend, saved).pipe(
      withLatestFrom(stopping$),
      map(([{ step, loss, params, state }, isStopped]) => {
        losses.push(loss);
        const isEpoch = step % perEpoch === 0;
        if (isEpoch || isStopped) graded = grade(params);
        const now = standing(step, isStopped && step < steps);
        if (now.isStopped) {
          checkpoint.write({ ...state, notes: { seed, losses } });
          screen.stops(now, checkpoint.path);
        } else if (isEpoch) screen.epoch(now);
        else screen.step(now);
        return now;
      }),
      takeWhile(({ isStopped }) => !isStopped, true),
      last(),
      map((end) => {
        if (!end.isStopped) checkpoint.remove();
        return end;
      }),
    );
  });
