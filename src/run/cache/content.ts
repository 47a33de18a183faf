/**
 * @file The content of a tensor as a short text: where two differ, so does the content; where they are equal, it has to be compared.
 */
import { bytesOf } from '../../graph/base64.js';
import type { Tensor } from '../../tensor/tensor.js';

/** Type, shape and 64 bits made of all elements. Cost: one walk of the elements. */
export function contentOf({ dtype, shape, data }: Tensor): string {
  const bytes = bytesOf(data);
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  const mix = (unit: number): void => {
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 13;
  };
  const whole = bytes.byteOffset % 4 === 0 ? bytes.length >>> 2 : 0;
  const words = new Int32Array(bytes.buffer, whole === 0 ? 0 : bytes.byteOffset, whole);
  for (let i = 0; i < whole; i++) mix(words[i]);
  for (let i = whole * 4; i < bytes.length; i++) mix(bytes[i]);
  return `${dtype}[${shape.join()}]${(a >>> 0).toString(16)}.${(b >>> 0).toString(16)}`;
}
