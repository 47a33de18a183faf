/** @file Jobs for the specs of jobs: operators that keep a state, a sink that remembers. */
import { expect } from 'chai';
import { concatMap, defer, EMPTY, map, of, timer, type Observable, type OperatorFunction } from 'rxjs';
import { memoryStore, type CheckpointedJob, type CommittingSink, type JobProgress, type KeptState } from '../../../src/index.js';

/** A sum over all items: an operator that keeps its state. */
export const summing =
  ({ from = 0, state }: Partial<KeptState<number>>): OperatorFunction<number, number> =>
  (numbers$) =>
    defer(() => {
      let sum = from;
      state?.(() => sum);
      return numbers$.pipe(map((x) => (sum += x)));
    });

/** Emits the sum of each full three: in between it holds items without an output. */
export const threes =
  ({ from = [], state }: Partial<KeptState<readonly number[]>>): OperatorFunction<number, number> =>
  (numbers$) =>
    defer(() => {
      let held = from;
      state?.(() => held);
      return numbers$.pipe(
        concatMap((x) => {
          held = [...held, x];
          if (held.length < 3) return EMPTY;
          const [a, b, c] = held;
          held = [];
          return of(a + b + c);
        }),
      );
    });

/** What was written survives a crash; what was not committed is cut at the next opening. */
export function listSink<R>(
  written: R[] = [],
): CommittingSink<R> & { readonly written: R[]; readonly counts: Record<string, number> } {
  const counts = { opened: 0, closed: 0, redone: 0 };
  return {
    written,
    counts,
    open(mark) {
      counts.opened++;
      counts.redone += written.length - ((mark as number | undefined) ?? 0);
      written.length = (mark as number | undefined) ?? 0;
    },
    write(value, index) {
      expect(index).to.equal(written.length);
      written.push(value);
    },
    commit: () => written.length,
    close: () => void counts.closed++,
  };
}

/** A promise that virtual time resolves. */
export const afterwards = <T>(ms: number, value: () => T): PromiseLike<T> =>
  ({
    then(told: (value: T) => unknown) {
      timer(ms).subscribe(() => void told(value()));
      return new Promise<never>(() => undefined);
    },
  }) as PromiseLike<T>;

export const numbers = (count: number) =>
  function* (position: number) {
    for (let k = position; k < count; k++) yield k;
  };

export const jobOf = <R>(
  more: Partial<CheckpointedJob<number, R>> & Pick<CheckpointedJob<number, R>, 'through'>,
): CheckpointedJob<number, R> => ({
  source: numbers(20),
  sink: listSink<R>(),
  store: memoryStore(),
  every: 4,
  ...more,
});

/** All signals of a job that answers at once. */
export function storyOf(job$: Observable<JobProgress>) {
  const story: { progress: JobProgress[]; error?: unknown; isComplete: boolean } = { progress: [], isComplete: false };
  job$.subscribe({
    next: (progress) => void story.progress.push(progress),
    error: (error: unknown) => (story.error = error),
    complete: () => (story.isComplete = true),
  });
  return story;
}
