/**
 * @file Where the outputs of a job go, so that each is there once however often the job was killed.
 */
import { catchError, map, throwError, type Observable } from 'rxjs';
import { diagnostic, type Diagnostic } from '../../errors/index.js';
import { consumerError, eventually, isLater, type Eventually } from './eventually.js';

/**
 * Takes outputs, and commits them with the checkpoint: `committingFile(path)` of `einstream/node` is one.
 *
 * One that cannot go back (a queue, a database) may take an output again after a crash: it comes with the same number, and one that
 * remembers numbers drops it.
 */
export interface CommittingSink<R> {
  /** Called once before all else: goes back to what `mark` committed, or to nothing where it is undefined. */
  open(mark: unknown): Eventually<void>;
  /** Takes an output, the `index`-th of the whole job, from 0. A promise holds the source back until it resolves. */
  write(value: R, index: number): Eventually<void>;
  /**
   * Makes what was written before this call safe, and gives a mark of it: a plain value that is kept in the checkpoint. More may be
   * written before a promise of it resolves, and is not part of it.
   */
  commit(): Eventually<unknown>;
  /** Called once after all else, also after an error or an unsubscription. */
  close?(): Eventually<void>;
}

/** The sink of one run: what it throws is E_CONSUMER unless it is an error of ours, and it is closed once. */
export interface GuardedSink<R> {
  open(mark: unknown): Observable<void>;
  write(value: R, index: number): Eventually<void>;
  commit(): Eventually<unknown>;
  close(): Observable<void>;
  /** Closes, if nobody has, when nobody listens any more: failures are warnings. */
  leave(): void;
  /** The same for another callback of an end. */
  watch(act: () => unknown): void;
}

export function guardedSink<R>(sink: CommittingSink<R>, onDiagnostic?: (diagnostic: Diagnostic) => void): GuardedSink<R> {
  let isClosed = false;
  const guarded = <V>(place: string, call: () => Eventually<V>): Observable<V> =>
    eventually(call).pipe(catchError((error: unknown) => throwError(() => consumerError(place, error))));
  const shut = (): Eventually<void> => {
    if (isClosed) return;
    isClosed = true;
    return sink.close?.();
  };
  const report = (cause: unknown): void =>
    onDiagnostic?.(diagnostic.warning('what a job used could not be closed', { code: 'E_TEARDOWN', cause }));
  const watch = (act: () => unknown): void => {
    try {
      const result = act();
      if (isLater(result)) result.then(undefined, report);
    } catch (error) {
      report(error);
    }
  };
  return {
    open: (mark) => guarded('sink.open', () => sink.open(mark)).pipe(map(() => undefined)),
    write(value, index) {
      let written: Eventually<void>;
      try {
        written = sink.write(value, index);
      } catch (error) {
        throw consumerError('sink.write', error);
      }
      if (!isLater(written)) return;
      return written.then(undefined, (error: unknown) => {
        throw consumerError('sink.write', error);
      });
    },
    commit() {
      try {
        const mark = sink.commit();
        return isLater(mark)
          ? mark.then(undefined, (error: unknown) => Promise.reject(consumerError('sink.commit', error)))
          : mark;
      } catch (error) {
        throw consumerError('sink.commit', error);
      }
    },
    close: () => guarded('sink.close', shut),
    leave: () => watch(shut),
    watch,
  };
}
