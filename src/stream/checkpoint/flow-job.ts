/**
 * @file The run of a job of flows: lets barriers in, and writes down what each has gathered when it arrives.
 */
import { concatMap, defer, interval, map, Observable, Subscription } from 'rxjs';
import { fault } from '../../errors/index.js';
import type { Barrier } from '../demand/flow.js';
import { inlet, openInto } from '../demand/inlet.js';
import { pulled } from '../demand/pulled.js';
import type { FlowSettings } from './checkpointed-flow.js';
import { eventually, isLater } from './eventually.js';
import { flowStages } from './flow-stage.js';
import type { JobProgress, Standing } from './job.js';
import { marking } from './marking.js';
import { guardedSink } from './sink.js';
import { requireSameStates } from './stage.js';
import type { Vault } from './vault.js';

export const runFlowJob = <T, R>(job: FlowSettings<T, R>, kept: Vault, standing: Standing): Observable<JobProgress> =>
  new Observable((subscriber) => {
    const { every, everyMs, scheduler, onDiagnostic } = job;
    const sink = guardedSink(job.sink, onDiagnostic);
    const all = new Subscription();
    const fail = (error: unknown): void => subscriber.error(error);
    let { outputs } = standing;
    let [last, now, skipped] = [standing.position, standing.position, 0];
    let isDue = false;
    /** What the barrier that is on its way does when it arrives. */
    let arrive: (() => void) | undefined;
    let [isSaving, isEnding] = [false, false];
    let look = (): void => undefined;

    /** One barrier at a time: where the one before has not ended, the next is as late as that is. */
    const next = (position: number): Barrier | undefined => {
      now = position;
      const isWanted = position - last >= every || (isDue && position > last);
      if (!isWanted || arrive !== undefined || isSaving) return undefined;
      if (every < Infinity) skipped += Math.max(0, Math.floor((position - last) / every) - 1);
      [last, isDue] = [position, false];
      const states: Record<string, unknown> = {};
      arrive = () => save({ position, isComplete: false, states });
      return { note: (name, part) => void (states[name] = part), lose: () => fail(lost()) };
    };

    const save = (at: Pick<Standing, 'position' | 'isComplete' | 'states'>): void => {
      const point = { ...at, outputs };
      [arrive, isSaving] = [undefined, true];
      const saved$ = eventually(() => sink.commit()).pipe(
        concatMap((mark) => kept.save({ ...point, mark })),
        map((id): JobProgress => ({ id, position: at.position, outputs: point.outputs, skipped, failed: 0, isComplete: at.isComplete })), // prettier-ignore
      );
      all.add(
        saved$.subscribe({
          error: fail,
          next(progress) {
            isSaving = false;
            subscriber.next(progress);
            if (subscriber.closed) return;
            if (at.isComplete) finish();
            else if (isEnding) close();
            else look();
          },
        }),
      );
    };
    const close = (): void => save({ position: now, isComplete: true, states: {} });
    const finish = (): void => {
      all.add(sink.close().subscribe({ error: fail, complete: () => subscriber.complete() }));
    };

    const end = inlet<R>({
      next(value) {
        let written: ReturnType<typeof sink.write>;
        try {
          written = sink.write(value, outputs++);
        } catch (error) {
          return fail(error);
        }
        if (isLater(written)) written.then(() => end.grant(1), fail);
        else end.grant(1);
      },
      error: fail,
      complete() {
        isEnding = true;
        // A barrier that is still on its way went with a stage that ended before its time.
        if (!isSaving) close();
      },
      barrier: () => arrive?.(),
    });

    const start = (): void => {
      if (standing.isComplete) return finish();
      const { stage, names } = flowStages(standing.states);
      const source = pulled(job.source(standing.position), { scheduler, onDiagnostic });
      const flow = job.flow(marking(source, standing.position, { next, wake: (act) => void (look = act) }), stage);
      requireSameStates(standing.states, names());
      all.add(end.cancel);
      if (everyMs !== undefined) all.add(interval(everyMs, scheduler).subscribe(() => ((isDue = true), look())));
      end.grant(1);
      openInto(flow, end);
    };

    // Before all else, as a source that answers at once may be left from within.
    subscriber.add(() => {
      all.unsubscribe();
      sink.leave();
    });
    all.add(
      sink
        .open(standing.mark)
        .pipe(concatMap(() => defer(() => (start(), []))))
        .subscribe({ error: fail }),
    );
  });

const lost = () =>
  fault('E_ARGUMENT', {
    place: 'flow',
    rule: 'barriers pass through each stage of a job',
    actual: 'a stage that knows none is on the way',
    hint: 'use stage.through(name, …) and stage.join(name, …) in place of through(…) and join(…)',
  });
