/**
 * @file Subscribing on behalf of a subscriber, so that unsubscribing stops even a source that is still emitting in `subscribe`.
 */
import { Subscriber, type Observable, type Observer } from 'rxjs';

/** The source is torn down first when `subscriber` is, as in a chain of RxJS operators. */
export function link<T>(source: Observable<T>, subscriber: Subscriber<unknown>, observer: Observer<T>): void {
  const inner = listener(observer);
  subscriber.add(inner);
  source.subscribe(inner);
}

/** A subscriber that exists before its subscription does. */
export const listener = <T>(observer: Observer<T>): Subscriber<T> => new Subscriber<T>(observer as Subscriber<T>);

/** Passes every signal on. */
export const passing = <T>(subscriber: Subscriber<T>): Observer<T> => ({
  next: (value) => subscriber.next(value),
  error: (error: unknown) => subscriber.error(error),
  complete: () => subscriber.complete(),
});
