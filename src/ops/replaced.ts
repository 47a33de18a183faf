/**
 * @file Terms with others in the place of some of their parts.
 */
import { subterms, type Scalar } from './scalar.js';

/** A term with some subterms replaced; sharing stays. */
export function replaced(term: Scalar, by: (term: Scalar) => Scalar | undefined, known = new Map<Scalar, Scalar>()): Scalar {
  const seen = known.get(term);
  if (seen !== undefined) return seen;
  let made = by(term);
  if (made === undefined && subterms(term).length === 0) made = term;
  if (made === undefined) {
    const parts = { ...term } as Record<string, unknown>;
    for (const [name, part] of Object.entries(parts))
      if (typeof part === 'object' && part !== null) parts[name] = replaced(part as Scalar, by, known);
    made = parts as unknown as Scalar;
  }
  known.set(term, made);
  return made;
}
