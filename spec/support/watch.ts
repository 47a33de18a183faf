/**
 * @file A subscription that remembers what it heard: for specs of streams that answer at once.
 */
import { Subscription, type Observable } from 'rxjs';

export interface Watched<T> {
  readonly values: readonly T[];
  readonly error: unknown;
  readonly isComplete: boolean;
  readonly unsubscribe: () => void;
}

export function watch<T>(stream$: Observable<T>): Watched<T> {
  const values: T[] = [];
  const subscription = new Subscription();
  const seen = { values, error: undefined as unknown, isComplete: false, unsubscribe: () => subscription.unsubscribe() };
  subscription.add(
    stream$.subscribe({
      next: (value) => void values.push(value),
      error: (error: unknown) => void (seen.error = error),
      complete: () => void (seen.isComplete = true),
    }),
  );
  return seen;
}
