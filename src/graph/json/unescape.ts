/**
 * @file The text of a string with escapes. Escaped halves of surrogate pairs stay as they are: a name is any UTF-16 text.
 */
import { BACKSLASH, LOWER_U } from './ascii.js';
import { codePointAt, sequenceLength } from './utf8.js';

const UNITS = 8192;

/** `b` → backspace, … ; the others stand for themselves. */
const LETTERS: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/** Decodes `bytes[from, to)`, which has been scanned: every escape and sequence in it is good. */
export function unescaped(bytes: Uint8Array, from: number, to: number): string {
  const units = new Uint16Array(Math.min(UNITS, to - from));
  let text = '';
  let count = 0;
  let i = from;
  while (i < to) {
    if (count + 2 > units.length) {
      text += String.fromCharCode.apply(null, units.subarray(0, count) as unknown as number[]);
      count = 0;
    }
    const byte = bytes[i];
    if (byte !== BACKSLASH) {
      const length = byte < 0x80 ? 1 : sequenceLength(bytes, i, to);
      const code = codePointAt(bytes, i, length);
      if (code > 0xffff) {
        units[count++] = 0xd800 + ((code - 0x10000) >> 10);
        units[count++] = 0xdc00 + (code & 0x3ff);
      } else units[count++] = code;
      i += length;
    } else if (bytes[i + 1] === LOWER_U) {
      units[count++] = hex(bytes, i + 2);
      i += 6;
    } else {
      const letter = bytes[i + 1];
      units[count++] = LETTERS.get(letter) ?? letter;
      i += 2;
    }
  }
  return text + String.fromCharCode.apply(null, units.subarray(0, count) as unknown as number[]);
}

function hex(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i];
    value = value * 16 + (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57);
  }
  return value;
}
