/**
 * @file Whether an operand is repeated by what reads it.
 */
import type { Dims } from '../ops/dims.js';

/** Known to repeat elements when it is read by the other: fused, it would be computed again for each of them. */
export function isSmaller(producer: Dims | undefined, consumer: Dims | undefined): boolean {
  if (producer === undefined || consumer === undefined || producer === consumer) return false;
  return producer.length < consumer.length || producer.some((dim, axis) => dim === 1 && consumer[axis] !== 1);
}
