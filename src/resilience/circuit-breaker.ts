/**
 * @file A circuit breaker: work that has failed too often is refused for a time.
 */
import { asyncScheduler, BehaviorSubject, catchError, defer, mergeMap, of, tap, throwError } from 'rxjs';
import type { Observable, OperatorFunction, SchedulerLike } from 'rxjs';
import { EinstreamError, diagnose, fault, humanMs } from '../errors/index.js';

/** `'closed'`: work runs. `'open'`: it is refused. `'halfOpen'`: one item is let through, to see. */
export type CircuitState = 'closed' | 'open' | 'halfOpen';

/** When a circuit opens, and for how long. */
export interface CircuitBreakerOptions {
  /** Failures one after another that open it, 5 by default. */
  readonly failures?: number;
  /** Milliseconds that it stays open, 1000 by default. */
  readonly resetMs?: number;
  /** What counts as a failure; every error by default. */
  readonly isFailure?: (error: unknown) => boolean;
  /** Its clock; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
}

/** Puts operators behind one circuit, and tells its state. */
export interface CircuitBreaker {
  /** The operator behind the breaker. All that are behind one breaker share its state. */
  <A, B>(operator: OperatorFunction<A, B>): OperatorFunction<A, B>;
  readonly state: CircuitState;
  /** The state now, and each that follows. */
  readonly state$: Observable<CircuitState>;
}

/**
 * Keeps work from being tried while it fails: after `failures` failures in a row every item is refused at once, with the code
 * of the last failure and that failure as cause. After `resetMs` one item is let through: it closes the circuit, or opens it
 * for another `resetMs`. Its state outlives subscriptions, which is its use: make one for each graph that may be poisonous.
 *
 * ```ts
 * const breaker = circuitBreaker({ failures: 1 });
 * const broken = breaker<number, number>(map(() => { throw new Error('poison'); }));
 * of(1).pipe(broken, catchError(() => of(1).pipe(broken)), catchError(({ code }) => of([code, breaker.state]))) // => [['E_KERNEL', 'open']]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for numbers out of range, at the call
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { failures = 5, resetMs = 1000, isFailure = () => true, scheduler = asyncScheduler } = options;
  for (const [place, value, least] of [
    ['failures', failures, 1],
    ['resetMs', resetMs, 0],
  ] as const)
    if (!(value >= least))
      throw fault('E_ARGUMENT', { place, rule: `it is a number of at least ${least}`, actual: String(value) });
  const state = new BehaviorSubject<CircuitState>('closed');
  let [inRow, openUntil] = [0, 0];
  let last: unknown;
  const enter = (next: CircuitState): void => {
    if (state.value !== next) state.next(next);
  };
  /** Before an item: the error that refuses it. */
  const refusal = (): EinstreamError | undefined => {
    if (state.value === 'closed') return undefined;
    const left = openUntil - scheduler.now();
    if (state.value === 'halfOpen' || left > 0) return refused(last, inRow, Math.max(0, left));
    enter('halfOpen');
    return undefined;
  };
  const failed = (error: unknown): void => {
    if (!isFailure(error)) return succeeded();
    last = error;
    inRow++;
    if (inRow < failures && state.value !== 'halfOpen') return;
    openUntil = scheduler.now() + resetMs;
    enter('open');
  };
  const succeeded = (): void => {
    inRow = 0;
    enter('closed');
  };
  const guarded = <A, B>(operator: OperatorFunction<A, B>): OperatorFunction<A, B> =>
    mergeMap(
      (item) =>
        defer(() => {
          const no = refusal();
          if (no !== undefined) return throwError(() => no);
          let isOver = false;
          const end = (how: () => void): void => {
            if (isOver) return;
            isOver = true;
            how();
          };
          return of(item).pipe(
            operator,
            tap({
              complete: () => end(succeeded),
              // One that was let through to see, and was cancelled, has shown nothing.
              unsubscribe: () => end(() => state.value === 'halfOpen' && enter('open')),
            }),
            catchError((error: unknown) => {
              end(() => failed(error));
              return throwError(() => error);
            }),
          );
        }),
      1,
    );
  return Object.defineProperties(guarded, {
    state: { get: () => state.value },
    state$: { value: state.asObservable() },
  }) as CircuitBreaker;
}

function refused(last: unknown, inRow: number, leftMs: number): EinstreamError {
  const code = last instanceof EinstreamError ? last.code : 'E_KERNEL';
  return new EinstreamError(
    code,
    diagnose(code, {
      place: 'circuitBreaker',
      rule: 'work that keeps failing is refused for a time',
      actual: `${inRow} failures in a row, the last: ${last instanceof Error ? last.message : String(last)}`,
      hint: leftMs > 0 ? `it is tried again in ${humanMs(leftMs)}` : 'one item is on its way to see how it does now',
      cause: last,
    }),
    { cause: last },
  );
}
