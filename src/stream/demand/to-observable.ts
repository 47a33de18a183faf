/**
 * @file `toObservable`: a flow for RxJS.
 */
import { Observable } from 'rxjs';
import type { Flow } from './flow.js';
import { inlet, openInto } from './inlet.js';

/**
 * An Observable of a flow: the next item is asked for when the `next` of the one before has returned. Unsubscribing cancels.
 *
 * RxJS has no way to say that it is still at work: an operator below that buffers (`concatMap`, `mergeMap`, `delay`) fills. Put such an
 * operator into `through`, or take the flow with `acknowledged`.
 *
 * ```ts
 * toObservable(pulled([1, 2, 3])).pipe(map((x) => x * 2)) // => [2, 4, 6]
 * ```
 */
export const toObservable = <T>(flow: Flow<T>): Observable<T> =>
  new Observable((subscriber) => {
    const from = inlet<T>({
      next(value) {
        subscriber.next(value);
        from.grant(1);
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
    // Before opening, so that a source that answers at once can be stopped.
    subscriber.add(from.cancel);
    from.grant(1);
    openInto(flow, from);
  });
