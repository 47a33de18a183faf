/**
 * @file The gradient of a choice between two operands.
 */
import type { Operand } from '../interpreter.js';
import type { GradientOps } from '../vjp.js';

/** All to the operand that was chosen: the first where `wins`, the second elsewhere; where it `ties`, half to each. */
export function chosen(dy: Operand, wins: Operand, ties: Operand, g: GradientOps): readonly Operand[] {
  const half = g.mul(0.5, dy);
  return [g.where(wins, dy, g.where(ties, half, 0)), g.where(wins, 0, g.where(ties, half, dy))];
}
