/**
 * @file Work that is subscribed to again when it fails.
 */
import { catchError, defer, retry, throwError, timer, type Observable, type SchedulerLike } from 'rxjs';
import { EinstreamError, isTransient } from '../errors/index.js';
import type { RetryPolicy } from './retry-policy.js';

export interface Retried {
  readonly scheduler: SchedulerLike;
  /** Hears of each failure; true ends the attempts. They count from 1. */
  readonly failed?: (error: unknown, attempt: number) => boolean;
}

/** `work$`, subscribed to anew for each attempt, always from a timer: retries never nest. */
export const retried = <T>(work$: Observable<T>, { count, delay }: RetryPolicy, { scheduler, failed }: Retried): Observable<T> =>
  defer(() => {
    let attempt = 1;
    let isOver = false;
    const told$ = work$.pipe(
      catchError((error: unknown) => {
        isOver = failed?.(error, attempt) === true || !isTransient(error);
        return throwError(() => error);
      }),
    );
    return told$.pipe(
      retry({
        count,
        delay: (error: unknown) => (isOver ? throwError(() => error) : timer(delay(attempt++), scheduler)),
      }),
      catchError((error: unknown) => throwError(() => numbered(error, attempt))),
    );
  });

/** The error with the number of the attempt that it ended. */
function numbered(error: unknown, attempt: number): unknown {
  if (!(error instanceof EinstreamError) || error.attempt !== undefined) return error;
  const { code, diagnostic, nodeId, cause, suppressed } = error;
  return new EinstreamError(code, diagnostic, { nodeId, attempt, cause, suppressed });
}
