/**
 * @file Whether writing one tensor could change another.
 */
import { extent } from './layout.js';
import type { Tensor } from './tensor.js';

/**
 * As NumPy's `may_share_memory`: true when the stretches of memory from first to last element meet. Two views that
 * interleave without touching count as sharing.
 *
 * ```ts
 * const x = arange(10);
 * mayShareMemory(slice(x, range(0, 5)), slice(x, range(4, 10))) // => true
 * mayShareMemory(slice(x, range(0, 5)), slice(x, range(5, 10))) // => false
 * ```
 */
export function mayShareMemory(a: Tensor, b: Tensor): boolean {
  if (a.buffer.array.buffer !== b.buffer.array.buffer) return false;
  const [first, second] = [bytes(a), bytes(b)];
  return first.from < second.to && second.from < first.to;
}

/** Two typed arrays may lie over one ArrayBuffer at different places. */
function bytes(tensor: Tensor): { readonly from: number; readonly to: number } {
  const { byteOffset, BYTES_PER_ELEMENT: width } = tensor.buffer.array;
  const { from, to } = extent(tensor);
  return { from: byteOffset + from * width, to: byteOffset + to * width };
}
