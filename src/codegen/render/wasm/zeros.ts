/**
 * @file Sums that are never −0, so that the larger of one and 0 takes one instruction.
 *
 * A sum is −0 only if both of its terms are. max(·, 0) takes −0 and 0 for one, so below it a term that stands still may be 0 where it
 * is −0, once for all elements: x + c becomes x + (c + 0).
 */
import type { Instruction } from '../../linear.js';
import { replaced } from '../../../ops/replaced.js';
import { s, type Scalar } from '../../../ops/scalar.js';

/** False where an instruction never gives −0. */
export function maybeMinusZero(list: readonly Instruction[], at: number): boolean {
  const i = list[at];
  switch (i.kind) {
    case 'constant':
      return Object.is(i.value, -0);
    case 'round':
      return maybeMinusZero(list, i.x);
    case 'binary':
      return i.fn !== 'add' || (maybeMinusZero(list, i.x) && maybeMinusZero(list, i.y));
    default:
      return true;
  }
}

/** The same values, with sums below max(·, 0) that are never −0 where one of their terms is a still operand. */
export function withoutMinusZero(term: Scalar, isStill: (operand: number) => boolean): Scalar {
  const known = new Map<Scalar, Scalar>();
  const within = (each: Scalar): Scalar =>
    replaced(
      each,
      (found) => {
        if (found.kind !== 'binary' || found.fn !== 'max' || found.y.kind !== 'constant' || found.y.value !== 0) return undefined;
        const sum = settledSum(found.x, isStill);
        return sum && s.max(within(sum), found.y);
      },
      known,
    );
  return within(term);
}

function settledSum(term: Scalar, isStill: (operand: number) => boolean): Scalar | undefined {
  if (term.kind === 'round') {
    const x = settledSum(term.x, isStill);
    return x && term.dtype === 'float32' ? { ...term, x } : undefined;
  }
  if (term.kind !== 'binary' || term.fn !== 'add') return undefined;
  const { x, y } = term;
  if (y.kind === 'operand' && isStill(y.index)) return s.add(x, s.add(y, 0));
  return x.kind === 'operand' && isStill(x.index) ? s.add(s.add(x, 0), y) : undefined;
}
