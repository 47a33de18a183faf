/**
 * @file How the sizes that one label meets become one size.
 */
import { broadcastDim, type Dim } from '../dims.js';

/** A dimension and the axis that it was read from. */
export interface Sized {
  readonly dim: Dim;
  readonly operand: number;
  readonly axis: number;
}

/** Across operands: size 1 stretches. Undefined where the sizes clash. */
export function joinSizes(a: Sized, b: Sized): Sized | undefined {
  const dim = broadcastDim(a.dim, b.dim);
  return dim === undefined ? undefined : { ...(dim === a.dim ? a : b), dim };
}

/** Within an operand nothing stretches: both axes have the one size, so the better known of them says it. */
export function joinDiagonal(a: Sized, b: Sized): Sized | undefined {
  if (typeof a.dim === 'number' && typeof b.dim === 'number') return a.dim === b.dim ? a : undefined;
  if (typeof a.dim === 'number') return a;
  return typeof b.dim === 'number' || a.dim === null ? b : a;
}
