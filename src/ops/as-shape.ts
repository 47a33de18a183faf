/**
 * @file A gradient brought to the shape of a value. Where the shape is known the value itself is not read, so that nothing keeps it.
 */
import { isStatic, type Dims } from './dims.js';
import { dimsOf } from './dimsOf.js';
import type { Operand } from './interpreter.js';
import type { GradientOps } from './vjp.js';

/** Known to be one shape: equal sizes or names, axis by axis. */
export const isSame = (a: Dims | undefined, b: Dims | undefined): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && a.every((dim, axis) => dim !== null && dim === b[axis]);

/** The same elements under the shape of `x`. */
export function reshapeAs(dy: Operand, x: Operand, g: GradientOps): Operand {
  const dims = dimsOf(x);
  return dims !== undefined && isStatic(dims) ? g.reshape(dy, { shape: dims }) : g.reshapeLike(dy, x);
}

/** The elements repeated to the shape of `x`, against which dy broadcasts. */
export function broadcastAs(dy: Operand, x: Operand, g: GradientOps): Operand {
  const dims = dimsOf(x);
  if (isSame(dimsOf(dy), dims)) return dy;
  return dims !== undefined && isStatic(dims) ? g.broadcastTo(dy, { shape: dims }) : g.broadcastLike(dy, x);
}
