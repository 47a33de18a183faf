/**
 * @file A subject that keeps order when it is fed from its own consumers.
 */
import { Subject } from 'rxjs';
import { fifo } from './fifo.js';

/**
 * A Subject whose consumers all see values in the order of `next`, also when one of them calls `next`.
 *
 * An ordinary Subject nests such calls: consumers after the caller then see the later value first, and a feedback loop
 * overflows the stack. Here calls made during a delivery wait until it is over, terminal calls included.
 *
 * ```ts
 * const subject = serialSubject<number>();
 * const seen: number[] = [];
 * subject.subscribe((x) => { if (x === 1) subject.next(2); });
 * subject.subscribe((x) => seen.push(x));
 * subject.next(1);
 * seen // => [1, 2]
 * ```
 */
export function serialSubject<T>(): Subject<T> {
  const subject = new Subject<T>();
  const waiting = fifo<() => void>();
  let isDelivering = false;
  const [next, error, complete] = [subject.next.bind(subject), subject.error.bind(subject), subject.complete.bind(subject)];
  const deliver = (call: () => void): void => {
    waiting.push(call);
    if (isDelivering) return;
    isDelivering = true;
    try {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) task();
    } finally {
      isDelivering = false;
    }
  };
  subject.next = (value) => deliver(() => next(value));
  subject.error = (cause: unknown) => deliver(() => error(cause));
  subject.complete = () => deliver(complete);
  return subject;
}
