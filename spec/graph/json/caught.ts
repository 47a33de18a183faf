/**
 * @file What a call throws, when it must throw one of ours.
 */
import { EinstreamError } from '../../../src/errors/index.js';

export function caught(call: () => unknown): EinstreamError {
  try {
    call();
  } catch (error) {
    if (error instanceof EinstreamError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** JSON text of the bytes given as numbers and strings. */
export const bytesOf = (...parts: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : [part])));
