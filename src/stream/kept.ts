/**
 * @file State that outlives a subscription: where an operator starts, and what it is between two items.
 */
import { consumerFailed } from './demand/failures.js';

/** Options of operators that remember: their state is an immutable value, and may be written to a file. */
export interface Kept<S> {
  /** Where to start: a state that `state` read, of the same operator with the same options. By default at the beginning. */
  readonly from?: S;
  /** Called once at each subscription, with a function that reads the state as it is between two items. */
  readonly state?: (read: () => S) => void;
}

/** @throws EinstreamError E_CONSUMER when the callback throws */
export function lend<S>({ state }: Kept<S>, read: () => S): void {
  try {
    state?.(read);
  } catch (error) {
    throw consumerFailed('state', error);
  }
}
