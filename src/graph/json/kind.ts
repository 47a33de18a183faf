/**
 * @file What comes next, told by its first byte.
 */
import { LOWER_F, LOWER_N, LOWER_T, MINUS, NINE, OPEN_ARRAY, OPEN_OBJECT, QUOTE, ZERO } from './ascii.js';
import type { Cursor } from './cursor.js';
import { jsonFault } from './place.js';
import { peekByte, unexpected } from './syntax.js';
import type { EinstreamError } from '../../errors/index.js';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'end';

/** The kind of the next value, `end` behind the last byte; moves over white space only. */
export function peekKind(cursor: Cursor): JsonKind {
  const byte = peekByte(cursor);
  if (byte === QUOTE) return 'string';
  if ((byte >= ZERO && byte <= NINE) || byte === MINUS) return 'number';
  if (byte === OPEN_OBJECT) return 'object';
  if (byte === OPEN_ARRAY) return 'array';
  if (byte === LOWER_T || byte === LOWER_F) return 'boolean';
  if (byte === LOWER_N) return 'null';
  if (byte < 0) return 'end';
  throw unexpected(cursor, 'a value');
}

const NAMES: Record<JsonKind, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  end: 'the end of the text',
};

/** The error for a value of another kind than the one wanted. */
export const wrongKind = (cursor: Cursor, wanted: JsonKind, hint?: string): EinstreamError => {
  const kind = peekKind(cursor);
  return jsonFault(cursor, cursor.at, 'E_PARSE', {
    rule: kind === 'end' ? 'the text must not end here' : 'the value must be of the kind asked for',
    expected: NAMES[wanted],
    actual: NAMES[kind],
    hint: kind === 'end' ? 'is the text cut short?' : hint,
  });
};
