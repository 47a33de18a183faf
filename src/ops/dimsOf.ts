/**
 * @file What is known of an operand's shape, whoever interprets it.
 */
import { Tensor } from '../tensor/tensor.js';
import type { Dims } from './dims.js';
import { isTraced, type Operand } from './interpreter.js';

/** The dims of a tensor, a number, a symbol (`dims`) or a variable (`shape`); undefined where the rank is unknown. */
export function dimsOf(operand: Operand): Dims | undefined {
  if (typeof operand === 'number') return [];
  if (operand instanceof Tensor) return operand.shape;
  if (!isTraced(operand)) return undefined;
  const { dims, shape } = operand as { readonly dims?: Dims; readonly shape?: Dims };
  return dims ?? shape;
}
