/**
 * @file Counts what is subscribed to, so that a page can show that nothing stays behind.
 */
import { BehaviorSubject, defer, finalize, type MonoTypeOperatorFunction, type Observable } from 'rxjs';

export interface Gauge {
  /** Subscriptions that are open now. */
  readonly open$: Observable<number>;
  /** Lets values through, and counts who subscribes. */
  readonly watch: <T>() => MonoTypeOperatorFunction<T>;
}

export function gauge(): Gauge {
  const open$ = new BehaviorSubject(0);
  const add = (change: number): void => open$.next(open$.value + change);
  return {
    open$: open$.asObservable(),
    watch: () => (source$) =>
      defer(() => {
        add(1);
        return source$.pipe(finalize(() => add(-1)));
      }),
  };
}
