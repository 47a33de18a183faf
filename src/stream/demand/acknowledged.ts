/**
 * @file `acknowledged`: a consumer whose work ends later than its `next`.
 */
import { Observable } from 'rxjs';
import { checkBounds, roomFor, type Bounds } from './bounds.js';
import type { Flow } from './flow.js';
import { inlet, openInto } from './inlet.js';

/** An item, and how to give its credit back. */
export interface Acknowledged<T> {
  readonly value: T;
  /** The item is released: another one may come. Again, and after the end, it does nothing. */
  readonly ack: () => void;
}

/**
 * An Observable of a flow in which at most `credits` items (and with `bytes` so many bytes and one item) are out and not acknowledged,
 * whatever operators below do with them.
 *
 * ```ts
 * const slow = (x: number) => timer(2 * x).pipe(map(() => x));
 * const items$ = acknowledged(pulled([3, 2, 1]), { credits: 2 });
 * items$.pipe(mergeMap(({ value, ack }) => slow(value).pipe(finalize(ack)))) // => [2, 3, 1]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for bounds that bound nothing, at the call
 */
export function acknowledged<T>(flow: Flow<T>, bounds: Bounds<T>): Observable<Acknowledged<T>> {
  checkBounds('acknowledged', bounds);
  return new Observable((subscriber) => {
    const room = roomFor(bounds);
    const ask = (): void => {
      const free = room.take();
      if (free > 0) from.grant(free);
    };
    const from = inlet<T>({
      next(value) {
        const size = room.enter(value);
        let isOut = true;
        const ack = (): void => {
          if (!isOut) return;
          isOut = false;
          room.leave(size);
          ask();
        };
        subscriber.next({ value, ack });
        ask();
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
    subscriber.add(from.cancel);
    ask();
    openInto(flow, from);
  });
}
