/**
 * @file ASCII bytes as text, without a decoder call for each: one call decodes a window, and slices serve the rest.
 */
import type { Cursor } from './cursor.js';

/** Engines copy slices up to this length; a longer one would keep its whole window alive. */
export const LONGEST_COPIED = 12;

const WINDOW = 32 * 1024;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** `bytes[from, to)`, which are ASCII. Do not keep a text longer than `LONGEST_COPIED`. */
export function asciiText(cursor: Cursor, from: number, to: number): string {
  if (from < cursor.windowAt || to > cursor.windowEnd) {
    if (to - from > WINDOW) return decoder.decode(cursor.bytes.subarray(from, to));
    moveWindow(cursor, from);
  }
  const { window, windowAt } = cursor;
  return window === undefined ? decoder.decode(cursor.bytes.subarray(from, to)) : window.slice(from - windowAt, to - windowAt);
}

function moveWindow(cursor: Cursor, from: number): void {
  const to = Math.min(cursor.end, from + WINDOW);
  const text = decoder.decode(cursor.bytes.subarray(from, to));
  cursor.windowAt = from;
  cursor.windowEnd = to;
  // One unit a byte: then, and only then, positions in the text are positions in the bytes.
  cursor.window = text.length === to - from ? text : undefined;
}
