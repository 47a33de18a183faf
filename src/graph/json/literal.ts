/**
 * @file true, false, null.
 */
import type { Cursor } from './cursor.js';
import { unexpected } from './syntax.js';

const bytesOf = (word: string): readonly number[] => Array.from(word, (letter) => letter.charCodeAt(0));
const TRUE = bytesOf('true');
const FALSE = bytesOf('false');
const NULL = bytesOf('null');

/** The literal whose first letter is the next byte. */
export function readLiteral(cursor: Cursor): boolean | null {
  const first = cursor.bytes[cursor.at];
  if (first === TRUE[0]) return take(cursor, TRUE, true);
  if (first === FALSE[0]) return take(cursor, FALSE, false);
  return take(cursor, NULL, null);
}

function take<T>(cursor: Cursor, word: readonly number[], value: T): T {
  for (let i = 0; i < word.length; i++) {
    if (cursor.bytes[cursor.at + i] !== word[i]) throw unexpected(cursor, 'true, false or null');
  }
  cursor.at += word.length;
  return value;
}
