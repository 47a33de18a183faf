/**
 * @file Strings: scanned once, built only where their text is wanted.
 *
 * Short ASCII strings (keys, op names) are looked up among those read before, so that a million
 * `"inputs"` are one string and no decoder is called.
 */
import { BACKSLASH, LOWER_U, QUOTE, SPACE } from './ascii.js';
import { INTERNED, type Cursor } from './cursor.js';
import { jsonFault, limitFault } from './place.js';
import { asciiText, LONGEST_COPIED } from './text.js';
import { unescaped } from './unescape.js';
import { sequenceLength } from './utf8.js';

type Form = 'ascii' | 'utf8' | 'escaped';

const LONGEST_INTERNED = 32;
const SLOT_SHIFT = 32 - Math.log2(INTERNED);
/** 1 for a byte that stands for itself: printable ASCII but the quote and the backslash. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH),
);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The string whose opening quote is the next byte. Moves past its closing quote. */
export function readString(cursor: Cursor): string {
  const from = cursor.at + 1;
  const form = scan(cursor);
  const to = cursor.at - 1;
  if (form === 'escaped') return unescaped(cursor.bytes, from, to);
  if (form === 'utf8' || to - from > LONGEST_INTERNED) return decoder.decode(cursor.bytes.subarray(from, to));
  return to === from ? '' : interned(cursor, from, to);
}

/** Finds the closing quote, checking every byte up to it, and leaves the cursor behind it. */
function scan(cursor: Cursor): Form {
  const { bytes, end } = cursor;
  const from = cursor.at + 1;
  let form: Form = 'ascii';
  let i = from;
  for (;;) {
    while (i < end && PLAIN[bytes[i]] === 1) i++;
    if (i >= end) break;
    const byte = bytes[i];
    if (byte === QUOTE) {
      if (i - from > cursor.limits.stringBytes) {
        throw limitFault(
          cursor,
          from - 1,
          'stringBytes',
          cursor.limits.stringBytes,
          'a string must stay below the byte limit',
          `${i - from} bytes`,
        );
      }
      cursor.at = i + 1;
      return form;
    }
    if (byte === BACKSLASH) {
      i += escapeLength(cursor, i);
      form = 'escaped';
    } else if (byte < SPACE) {
      throw jsonFault(cursor, i, 'E_PARSE', {
        rule: 'a string has no raw control character',
        hint: `write \\u${byte.toString(16).padStart(4, '0')}, or close the string`,
      });
    } else {
      const length = sequenceLength(bytes, i, end);
      if (length === 0)
        throw jsonFault(cursor, i, 'E_PARSE', { rule: 'the text must be valid UTF-8', hint: 'save the file as UTF-8' });
      if (form === 'ascii') form = 'utf8';
      i += length;
    }
  }
  throw jsonFault(cursor, from - 1, 'E_PARSE', {
    rule: 'a string ends with a quote',
    actual: 'a string that never ends',
    hint: 'is the text cut short?',
  });
}

function escapeLength(cursor: Cursor, at: number): number {
  const { bytes, end } = cursor;
  const letter = at + 1 < end ? bytes[at + 1] : -1;
  if (letter === LOWER_U) {
    for (let i = at + 2; i < at + 6; i++) {
      if (i >= end || !isHex(bytes[i])) {
        throw jsonFault(cursor, at, 'E_PARSE', {
          rule: '\\u is followed by four hexadecimal digits',
          actual: i >= end ? 'the end of the text' : undefined,
          length: i - at + 1,
        });
      }
    }
    return 6;
  }
  if (letter < 0 || !'"\\/bfnrt'.includes(String.fromCharCode(letter))) {
    throw jsonFault(cursor, at, 'E_PARSE', {
      rule: 'an escape is one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX',
      length: 2,
      hint: 'write \\\\ for a backslash',
    });
  }
  return 2;
}

const isHex = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** The one string of these bytes. A slot holds whichever string came last, so strings that share one cost a miss, no more. */
function interned(cursor: Cursor, from: number, to: number): string {
  const { bytes } = cursor;
  const length = to - from;
  if (cursor.interned.length === 0) return textOf(cursor, from, to);
  const mix = Math.imul(bytes[from] ^ (bytes[to - 1] << 7) ^ (bytes[from + (length >> 1)] << 14) ^ (length << 21), 0x9e3779b1);
  const slot = mix >>> SLOT_SHIFT;
  const known = cursor.interned[slot];
  if (known.length === length && isRepeated(bytes, cursor.internedAt[slot], from, length)) return known;
  cursor.internedAt[slot] = from;
  return (cursor.interned[slot] = textOf(cursor, from, to));
}

const textOf = (cursor: Cursor, from: number, to: number): string =>
  to - from > LONGEST_COPIED ? decoder.decode(cursor.bytes.subarray(from, to)) : asciiText(cursor, from, to);

function isRepeated(bytes: Uint8Array, before: number, from: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[before + i] !== bytes[from + i]) return false;
  return true;
}
