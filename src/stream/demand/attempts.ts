/**
 * @file One piece of work with a limit of time, and further attempts.
 */
import { defer, map, retry, throwError, timeout, timer, type Observable, type SchedulerLike } from 'rxjs';
import { EinstreamError, diagnose, humanMs, isTransient } from '../../errors/index.js';

export interface Limits {
  readonly timeoutMs: number | undefined;
  /** Attempts after the first. */
  readonly retries: number;
  readonly backoffMs: number;
  readonly scheduler: SchedulerLike;
}

/** The work, subscribed to anew for each attempt. A wait of 0 ms is asynchronous, too. */
export function attempts<T>(work$: Observable<T>, { timeoutMs, retries, backoffMs, scheduler }: Limits): Observable<T> {
  const timed$ =
    timeoutMs === undefined
      ? () => work$
      : (attempt: number): Observable<T> => within(work$, timeoutMs, scheduler, () => overran(timeoutMs, attempt));
  if (retries === 0 && timeoutMs === undefined) return work$;
  return defer(() => {
    let attempt = 0;
    return defer(() => timed$(++attempt)).pipe(
      retry({
        count: retries,
        delay: (error: unknown) => (isTransient(error) ? timer(backoffMs, scheduler) : throwError(() => error)),
      }),
    );
  });
}

/** Stops the work when its time is over. Work that never lets a timer run is told of when it ends. */
const within = <T>(work$: Observable<T>, ms: number, scheduler: SchedulerLike, late: () => EinstreamError): Observable<T> =>
  defer(() => {
    const from = scheduler.now();
    return work$.pipe(
      timeout({ each: ms, scheduler, with: () => throwError(late) }),
      map((value) => {
        if (scheduler.now() - from > ms) throw late();
        return value;
      }),
    );
  });

const overran = (timeoutMs: number, attempt: number): EinstreamError =>
  new EinstreamError(
    'E_TIMEOUT',
    diagnose('E_TIMEOUT', {
      place: 'runStreamAsync',
      rule: 'an item must be computed in time',
      expected: `within ${humanMs(timeoutMs)}`,
      hint: 'raise timeoutMs, or let it be tried again: { retry: true }',
    }),
    { attempt },
  );
