/**
 * @file How many bytes an item holds, for bounds in bytes.
 */
import { byteSize } from '../../tensor/dtype.js';
import { Tensor } from '../../tensor/tensor.js';

/** Deeper than any feed: nested numbers have at most 64 axes. */
const DEEPEST = 70;

/** Bytes of the elements of tensors, typed arrays and buffers, two a character, eight for every other primitive; records and lists are added up. */
export function bytesOf(item: unknown, depth = 0): number {
  if (item instanceof Tensor) return item.size * byteSize(item.dtype);
  if (typeof item === 'string') return 2 * item.length;
  if (typeof item !== 'object' || item === null) return 8;
  if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) return item.byteLength;
  if (depth === DEEPEST) return 8;
  let bytes = 0;
  for (const part of Array.isArray(item) ? (item as unknown[]) : Object.values(item)) bytes += bytesOf(part, depth + 1);
  return bytes;
}
