/**
 * @file The end of a subscription: everything above is torn down first, so that a failing teardown can still be told.
 */
import { UnsubscriptionError, type Unsubscribable } from 'rxjs';
import { EinstreamError, fault, formatErrorLine, suppress, type Diagnostic } from '../errors/index.js';

/** Unsubscribes and never throws: what failed comes back as one E_TEARDOWN. */
export function tearDown(subscription: Unsubscribable): EinstreamError | undefined {
  try {
    subscription.unsubscribe();
    return undefined;
  } catch (error) {
    const [first, ...others] = error instanceof UnsubscriptionError ? (error.errors as readonly unknown[]) : [error];
    if (others.length === 0 && first instanceof EinstreamError && first.code === 'E_TEARDOWN') return first;
    const failure = fault('E_TEARDOWN', {
      place: 'teardown',
      rule: 'a teardown must not throw',
      actual: first instanceof Error ? first.message : String(first),
      cause: first,
    });
    for (const other of others) suppress(failure, other);
    return failure;
  }
}

/** Ends with the first failure; a later one is kept in its `suppressed`, or told where it is not ours to write on. */
export function endWith(error: unknown, later: EinstreamError | undefined, tell: (failure: EinstreamError) => void): unknown {
  if (later !== undefined && !suppress(error, later)) tell(later);
  return error;
}

/** Tells what no stream can carry any more. A listener that throws is told of on the console, too. */
export const teller =
  (listener: ((diagnostic: Diagnostic) => void) | undefined): ((failure: EinstreamError) => void) =>
  (failure) => {
    try {
      if (listener !== undefined) return listener(failure.diagnostic);
    } catch (error) {
      console.warn(formatErrorLine(error));
    }
    console.warn(formatErrorLine(failure));
  };
