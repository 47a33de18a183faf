/**
 * @file One value through an operator that answers at once.
 */
import { of, type OperatorFunction } from 'rxjs';

/** What an operator that answers at once gives for one value. */
export function only<A, B>(value: A, operator: OperatorFunction<A, B>): B {
  let given: B | undefined;
  let failure: { readonly error: unknown } | undefined;
  of(value).pipe(operator).subscribe({ next: (each) => (given = each), error: (error: unknown) => (failure = { error }) }); // prettier-ignore
  if (failure !== undefined) throw failure.error;
  return given!;
}
