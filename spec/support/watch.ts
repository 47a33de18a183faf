/**
 * @file A subscription that remembers what it heard: for specs of streams that answer at once.
 */
import type { Observable, Subscription } from 'rxjs';

export interface Watched<T> {
  readonly values: readonly T[];
  readonly error: unknown;
  readonly isComplete: boolean;
  readonly unsubscribe: () => void;
}

export function watch<T>(stream$: Observable<T>): Watched<T> {
  const values: T[] = [];
  const seen = { values, error: undefined as unknown, isComplete: false, unsubscribe: () => subscription?.unsubscribe() };
  let subscription: Subscription | undefined;
  subscription = stream$.subscribe({
    next: (value) => void values.push(value),
    error: (error: unknown) => void (seen.error = error),
    complete: () => void (seen.isComplete = true),
  });
  return seen;
}
