/**
 * @file Subscribing on behalf of a subscriber, so that unsubscribing stops even a source that is still emitting in `subscribe`.
 */
import { Subscriber, type Observable, type Observer } from 'rxjs';

/** The source is torn down first when `subscriber` is, as in a chain of RxJS operators. */
export function link<T>(source: Observable<T>, subscriber: Subscriber<unknown>, observer: Observer<T>): void {
  const inner = new Subscriber<T>(observer as Subscriber<T>);
  subscriber.add(inner);
  source.subscribe(inner);
}
