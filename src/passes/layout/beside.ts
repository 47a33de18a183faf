/**
 * @file Operands that are no transposes themselves, beside some that are: one number for all elements, or what is repeated.
 */
import type { Dims } from '../../ops/dims.js';
import { knownOp } from '../../ops/known.js';
import { against, inverse, seenDims, type Order } from './order.js';

/** How such an operand is seen beside turned ones: as it is where there is nothing to do. */
export interface Beside {
  /** Axes of size 1 that it is given first. */
  readonly added?: readonly number[];
  /** The order in which its axes are seen then. */
  readonly order?: Order;
  /** As it is seen. */
  readonly dims: Dims;
}

/**
 * How an operand of these dims is seen beside what is turned; undefined where it would have to be read against its order.
 *
 * With axes of size 1 in front it has as many as the result, and turns with it: what it is repeated along, it stays repeated along.
 *
 * @param order how the result is seen of the turned one
 * @param isOne sure to have one element, whatever is fed
 */
export function besideTurned(dims: Dims, order: Order, isOne: () => boolean): Beside | undefined {
  const missing = order.length - dims.length;
  if (missing < 0) return undefined;
  if (dims.length === 0 || isOne()) return { dims };
  if (missing > 0 && knownOp('unsqueeze') === undefined) return undefined;
  const whole: Dims = [...order.slice(0, missing).map(() => 1), ...dims];
  const back = inverse(order);
  const seen = seenDims(whole, back);
  // Where its own axes lie among those of what is turned.
  const places = order.slice(missing);
  if (missing > 0 && places.every((place, at) => at === 0 || places[at - 1] < place)) {
    return { added: order.slice(0, missing).sort((a, b) => a - b), dims: seen };
  }
  if (against(back, seen) > 0) return undefined;
  return { added: missing === 0 ? undefined : whole.slice(0, missing).map((_, at) => at), order: back, dims: seen };
}
