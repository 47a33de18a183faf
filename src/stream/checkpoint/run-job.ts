/**
 * @file The run of a job: pulls, pushes, and takes snapshots when nothing is in flight.
 */
import { catchError, concatMap, interval, map, Observable, of, Subject, Subscription, throwError } from 'rxjs';
import { EinstreamError, fault } from '../../errors/index.js';
import { consumerError, eventually, isLater } from './eventually.js';
import type { JobProgress, Settings, Standing } from './job.js';
import { pulled, type Pulled } from './pulled.js';
import { guardedSink } from './sink.js';
import { requireSameStates, stages } from './stage.js';
import type { Vault } from './vault.js';

/** `flowing` while items come, `ending` while operators hand out what they still hold, `ended` when they have; `closing` from then on. */
type Phase = 'flowing' | 'ending' | 'ended' | 'closing';

export const runJob = <T, R>(job: Settings<T, R>, kept: Vault, standing: Standing): Observable<JobProgress> =>
  new Observable((subscriber) => {
    const { every, everyMs, barriers$, ahead, whenBusy, onFailure, onDiagnostic, scheduler } = job;
    const sink = guardedSink(job.sink, onDiagnostic);
    const all = new Subscription();
    const items$ = new Subject<T>();
    const { stage, flying, isPassing, names, read } = stages(standing.states, () => drain());
    let source: Pulled<T>;
    let phase: Phase = 'flowing';
    let { position, outputs } = standing;
    let [since, skipped, failed, writing] = [0, 0, 0, 0];
    let [isDue, isReading, isPushing, isSaving, isResting] = [false, false, false, false, false];
    let [isDraining, isAsked] = [false, false];

    const fail = (error: unknown): void => subscriber.error(error);

    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        fail(error);
      }
    };
    /** Does what can be done now. A loop, as sources, operators and stores that answer at once call it from within. */
    const drain = (): void => {
      isAsked = true;
      // In the middle of an item states are neither those before it nor those after it.
      if (isDraining || isPushing) return;
      isDraining = true;
      attempt(() => {
        while (isAsked && !subscriber.closed) isAsked = step();
      });
      isDraining = false;
    };

    const step = (): boolean => {
      isAsked = false;
      if (phase === 'flowing') return (isDue ? barrier() : pull()) || isAsked;
      if (phase !== 'ended' || isSaving) return isAsked;
      phase = 'closing';
      snapshot();
      return true;
    };

    const barrier = (): boolean => {
      if (flying() > 0 || (isSaving && whenBusy === 'wait')) return false;
      if (!isSaving) return (snapshot(), true);
      skipped++;
      [isDue, since] = [false, 0];
      // A source that answers at once would not let the writing come to its end.
      isResting = true;
      all.add(scheduler.schedule(() => ((isResting = false), drain())));
      return true;
    };

    const pull = (): boolean => {
      if (isReading || isResting || writing > 0 || flying() >= ahead) return false;
      isReading = true;
      source.pull(push, end, fail);
      return true;
    };

    const push = (item: T): void => {
      isReading = false;
      if (subscriber.closed || phase !== 'flowing') return;
      position++;
      if (++since >= every) isDue = true;
      isPushing = true;
      items$.next(item);
      isPushing = false;
      drain();
    };

    const end = (): void => {
      isReading = false;
      if (phase !== 'flowing') return;
      phase = 'ending';
      isPushing = true;
      items$.complete();
      isPushing = false;
      drain();
    };

    const write = (value: R): void => {
      if (!isPushing && !isPassing()) return fail(stray());
      const written = sink.write(value, outputs++);
      if (!isLater(written)) return;
      writing++;
      written.then(() => (writing--, drain()), fail);
    };

    const snapshot = (): void => {
      const isComplete = phase === 'closing';
      const now = { position, outputs, isComplete, states: isComplete ? {} : read() };
      [isDue, since, isSaving] = [false, 0, true];
      const saved$ = eventually(() => sink.commit()).pipe(
        concatMap((mark) => kept.save({ ...now, mark }).pipe(catchError(onFailure === 'continue' ? warn : rethrow))),
        map((id) =>
          id === undefined ? undefined : { id, position: now.position, outputs: now.outputs, skipped, failed, isComplete },
        ),
      );
      all.add(saved$.subscribe({ next: (progress) => saved(progress, isComplete), error: fail }));
    };

    const saved = (progress: JobProgress | undefined, isComplete: boolean): void => {
      isSaving = false;
      if (progress !== undefined) subscriber.next(progress);
      if (isComplete) finish();
      else drain();
    };

    /** The checkpoints before it are still there, and the next may succeed. */
    const warn = (error: unknown): Observable<undefined> => {
      if (!(error instanceof EinstreamError) || error.code !== 'E_CKPT_IO') return throwError(() => error);
      failed++;
      try {
        onDiagnostic?.({ ...error.diagnostic, severity: 'warning' });
      } catch (thrown) {
        return throwError(() => consumerError('onDiagnostic', thrown));
      }
      return of(undefined);
    };

    const finish = (): void => {
      all.add(sink.close().subscribe({ error: fail, complete: () => subscriber.complete() }));
    };

    const start = (): void => {
      if (standing.isComplete) return finish();
      all.add(
        items$.pipe(job.through(stage)).subscribe({
          next: (value) => attempt(() => write(value)),
          error: fail,
          complete() {
            phase = 'ended';
            drain();
          },
        }),
      );
      requireSameStates(standing.states, names());
      source = pulled(job.source(position));
      all.add(() => sink.watch(() => source.stop()));
      if (everyMs !== undefined)
        all.add(
          interval(everyMs, scheduler).subscribe(() => {
            isDue ||= since > 0;
            drain();
          }),
        );
      if (barriers$ !== undefined)
        all.add(
          barriers$.subscribe({
            next() {
              isDue = true;
              drain();
            },
            error: fail,
          }),
        );
      drain();
    };

    all.add(sink.open(standing.mark).subscribe({ next: () => attempt(start), error: fail }));
    return () => {
      all.unsubscribe();
      sink.leave();
    };
  });

const rethrow = (error: unknown): Observable<never> => throwError(() => error);

const stray = () =>
  fault('E_ARGUMENT', {
    place: 'through',
    rule: 'outputs of a job must follow from its items, so that they are the same when they are made again',
    actual: 'an output at a time of its own',
    hint: 'wrap an operator that answers later: inFlight(run(graph, { backend }))',
  });
