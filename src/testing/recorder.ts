/**
 * @file What a stream said, in order, and how its source was used.
 */
import { Observable, Subscription, type Subscriber } from 'rxjs';

/** One signal of a stream. */
export type Signal<R> =
  | { readonly kind: 'next'; readonly value: R }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'complete' };

export interface Recording<R> {
  readonly signals: readonly Signal<R>[];
  readonly values: readonly R[];
  /** The kinds of the signals, such as `next next complete`. */
  readonly story: string;
  /** Exists before the first signal. */
  readonly subscription: Subscription;
}

/** Subscribes and writes down all signals. `react` is called with each, after it was written down. */
export function record<R>(
  stream$: Observable<R>,
  react: (signal: Signal<R>, recording: Recording<R>) => void = () => undefined,
): Recording<R> {
  const signals: Signal<R>[] = [];
  const subscription = new Subscription();
  const recording: Recording<R> = {
    signals,
    subscription,
    get values() {
      return signals.flatMap((signal) => (signal.kind === 'next' ? [signal.value] : []));
    },
    get story() {
      return signals.map(({ kind }) => kind).join(' ');
    },
  };
  const hear = (signal: Signal<R>): void => {
    signals.push(signal);
    react(signal, recording);
  };
  // A source may emit while it is subscribed to, so unsubscribing must be possible before `subscribe` returns.
  const heard$ = new Observable<R>((subscriber) => {
    subscription.add(() => subscriber.unsubscribe());
    return stream$.subscribe(subscriber);
  });
  heard$.subscribe({
    next: (value) => hear({ kind: 'next', value }),
    error: (error: unknown) => hear({ kind: 'error', error }),
    complete: () => hear({ kind: 'complete' }),
  });
  return recording;
}

/** A cold source that counts. */
export interface Spied<T> {
  readonly source$: Observable<T>;
  /** How often it was subscribed to, torn down, and how many items were taken from it. */
  readonly counts: { readonly subscribed: number; readonly tornDown: number; readonly pulled: number };
}

/** Items of `feed` from 0 to `count`, each made when it is needed, then `end`; stops as soon as nobody listens. */
export function spied<T>(feed: (index: number) => T, count: number, end: (subscriber: Subscriber<T>) => void): Spied<T> {
  const counts = { subscribed: 0, tornDown: 0, pulled: 0 };
  const source$ = new Observable<T>((subscriber) => {
    counts.subscribed++;
    subscriber.add(() => counts.tornDown++);
    for (let index = 0; index < count && !subscriber.closed; index++) {
      counts.pulled++;
      subscriber.next(feed(index));
    }
    end(subscriber);
  });
  return { source$, counts };
}
