/**
 * @file What failed second is kept with what failed first.
 */
import { EinstreamError } from './error.js';

/** Adds `later` to the `suppressed` of an error of ours; false where the first is the user's own object, which stays untouched. */
export function suppress(first: unknown, later: unknown): boolean {
  if (!(first instanceof EinstreamError) || first === later) return first === later;
  (first.suppressed as unknown[]).push(later);
  return true;
}
