/**
 * @file Punctuation: white space, brackets, commas, keys; and what to say where it is wrong.
 *
 * Every function that opens, goes on with or closes an object or array keeps `cursor.depth`.
 */
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, NEWLINE, QUOTE, RETURN, SLASH, SPACE, TAB } from './ascii.js';
import type { Cursor, KeyScope } from './cursor.js';
import { excerpt, type EinstreamError } from '../../errors/index.js';
import { jsonFault, limitFault } from './place.js';
import { readString } from './string.js';

/** Keys of an object up to this count are compared one by one, without a set. */
const FEW = 12;

/** Moves to the next byte that is not white space and returns it, −1 at the end. */
export function peekByte(cursor: Cursor): number {
  const { bytes, end } = cursor;
  let i = cursor.at;
  while (i < end) {
    const byte = bytes[i];
    if (byte > SPACE || (byte !== SPACE && byte !== NEWLINE && byte !== RETURN && byte !== TAB)) {
      cursor.at = i;
      return byte;
    }
    i++;
  }
  cursor.at = i;
  return -1;
}

/** Steps over the bracket at the cursor; true when an item follows, false when the bracket closes at once. */
export function open(cursor: Cursor, close: number): boolean {
  if (cursor.depth >= cursor.limits.depth) {
    throw limitFault(
      cursor,
      cursor.at,
      'depth',
      cursor.limits.depth,
      'objects and arrays must not be nested deeper than the limit',
      `depth ${cursor.depth + 1}`,
    );
  }
  cursor.depth++;
  cursor.at++;
  if (close === CLOSE_OBJECT) enterScope(cursor);
  if (peekByte(cursor) !== close) return true;
  leave(cursor);
  return false;
}

/** After an item: true when another follows, false when the bracket closes. */
export function more(cursor: Cursor, close: number): boolean {
  const byte = peekByte(cursor);
  if (byte === COMMA) {
    cursor.at++;
    peekByte(cursor);
    return true;
  }
  if (byte === close) {
    leave(cursor);
    return false;
  }
  throw unexpected(cursor, close === CLOSE_ARRAY ? "',' or ']' after an item" : "',' or '}' after a member");
}

function leave(cursor: Cursor): void {
  cursor.at++;
  cursor.depth--;
}

/** The key at the cursor, not seen before in its object; moves to the first byte of its value. */
export function readKey(cursor: Cursor): string {
  if (peekByte(cursor) !== QUOTE) throw unexpected(cursor, 'a key in double quotes');
  const at = cursor.at;
  const key = readString(cursor);
  addKey(cursor, key, at);
  if (peekByte(cursor) !== COLON) throw unexpected(cursor, "':' after a key");
  cursor.at++;
  peekByte(cursor);
  return key;
}

function enterScope({ scopes, depth }: Cursor): void {
  while (scopes.length <= depth) scopes.push({ count: 0, few: [], many: undefined });
  const scope = scopes[depth];
  scope.count = 0;
  scope.many = undefined;
}

function addKey(cursor: Cursor, key: string, at: number): void {
  const scope = cursor.scopes[cursor.depth];
  if (scope.count >= cursor.limits.keys) {
    throw limitFault(
      cursor,
      at,
      'keys',
      cursor.limits.keys,
      'the keys of an object must stay below the limit',
      `key ${scope.count + 1}`,
    );
  }
  if (hasKey(scope, key)) {
    throw jsonFault(cursor, at, 'E_PARSE', {
      rule: 'the keys of an object differ',
      actual: `"${excerpt(key)}" a second time`,
      length: cursor.at - at,
      hint: 'remove or rename one of the two',
    });
  }
  if (scope.count < FEW) scope.few[scope.count] = key;
  else (scope.many ??= new Set(scope.few)).add(key);
  scope.count++;
}

function hasKey({ count, few, many }: KeyScope, key: string): boolean {
  if (many !== undefined) return many.has(key);
  for (let i = 0; i < count; i++) if (few[i] === key) return true;
  return false;
}

/** The error for a byte that cannot stand where the cursor is. */
export const unexpected = (cursor: Cursor, expected: string): EinstreamError =>
  jsonFault(cursor, cursor.at, 'E_PARSE', {
    rule: 'the text must follow the JSON grammar',
    expected,
    hint: wordHint(cursor, cursor.at),
  });

/** What the writer of the byte at `at` may have meant. */
export function wordHint(cursor: Cursor, at: number): string | undefined {
  const { bytes, end } = cursor;
  if (at >= end) return 'is the text cut short?';
  const byte = bytes[at];
  const word = String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 10)));
  if (byte === SLASH || byte === 0x23) return 'JSON has no comments: remove it';
  if (byte === 0x27) return 'JSON strings stand in double quotes';
  if (/^(nan|inf)/i.test(word))
    return 'JSON has no NaN or Infinity: write "NaN", "Infinity" or "-Infinity" as a string where the reader takes them';
  if (/^(true|false|null|none|undefined)/i.test(word)) return 'the literals are true, false and null, in lower case';
  if (byte === 0x2b || byte === 0x2e) return 'a number starts with a digit or a minus sign';
  if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && lastByteBefore(cursor, at) === COMMA)
    return 'remove the comma before it';
  if (byte === COMMA) return 'remove the comma, or write the missing item';
  return undefined;
}

function lastByteBefore({ bytes }: Cursor, at: number): number {
  let i = at - 1;
  while (i > 0 && bytes[i] <= SPACE) i--;
  return bytes[i] ?? -1;
}
