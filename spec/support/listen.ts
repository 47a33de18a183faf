/**
 * @file A subscriber that writes down the kinds of signals, and how deep its own calls nest.
 */
import type { Observable, Subscription } from 'rxjs';
import { listener } from '../../src/run/link.js';

export interface Heard {
  readonly log: string[];
  readonly depth: () => number;
  readonly subscription: Subscription;
}

/** Subscribes; `react` is called inside each signal. Deepest nesting of `next` in `next` is counted. */
export function listen(
  stream$: Observable<unknown>,
  react: (kind: string, subscription: Subscription) => void = () => undefined,
): Heard {
  const log: string[] = [];
  let [depth, deepest] = [0, 0];
  const hear = (kind: string) => (): void => {
    log.push(kind);
    deepest = Math.max(deepest, ++depth);
    react(kind, subscriber);
    depth--;
  };
  // There before the first signal, also from a source that emits while it is subscribed to.
  const subscriber = listener<unknown>({ next: hear('next'), error: hear('error'), complete: hear('complete') });
  stream$.subscribe(subscriber);
  return { log, depth: () => deepest, subscription: subscriber };
}
