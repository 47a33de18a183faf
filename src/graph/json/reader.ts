/**
 * @file The strict JSON reader: the caller asks for what its schema has next, and nothing else is built.
 *
 * RFC 8259 and no more: no comments, trailing commas, byte order mark, NaN, duplicate keys or bytes behind the end.
 */
import { CLOSE_ARRAY, CLOSE_OBJECT } from './ascii.js';
import { cursorOver } from './cursor.js';
import { peekKind, wrongKind, type JsonKind } from './kind.js';
import type { JsonLimits } from './limits.js';
import { readLiteral } from './literal.js';
import { readInteger, readNumber } from './number.js';
import { readIntegers, readNumbers, type JsonNumbers, type NumbersOptions } from './numbers.js';
import { jsonFault, type JsonFault } from './place.js';
import { readString } from './string.js';
import { more, open, peekByte, readKey, unexpected } from './syntax.js';
import { readValue, skipValue, type JsonValue } from './value.js';
import type { EinstreamError, ErrorCode, SourceLocation } from '../../errors/index.js';

/** Reads one text from front to back. After an error it must not be used again. */
export interface JsonReader {
  /** What comes next, `end` behind the last value. Reads white space only. */
  peek(): JsonKind;
  /** Calls `onKey` at each member; it reads the value, or leaves it alone, and it is skipped. */
  object(onKey: (key: string) => void): void;
  /** Calls `onItem` at each item; it reads the item, or leaves it alone, and it is skipped. */
  array(onItem: (index: number) => void): void;
  string(): string;
  /** To the nearest float64; −0 is kept. One that overflows is E_PARSE. */
  number(): number;
  /** Digits alone, at most 2^53 − 1 in magnitude. */
  integer(): number;
  boolean(): boolean;
  null(): null;
  /** An array of integers. */
  integers(): number[];
  /** A number, or arrays of numbers (or of booleans) nested to a regular shape. */
  numbers(options?: NumbersOptions): JsonNumbers;
  /** The next value as a tree: for small texts. */
  value(): JsonValue;
  /** Steps over the next value, as strictly as if it were read. */
  skip(): void;
  /** Refuses anything but white space up to the end. */
  end(): void;
  /** Bytes read so far: the place that a later `fault` may name. */
  offset(): number;
  /** An error with the location of byte `offset` (by default the next one) and its line; made, not thrown. */
  fault(code: ErrorCode, details: JsonFault, offset?: number): EinstreamError;
}

/**
 * Opens a reader on a text. The text is read in one pass, in time linear in its bytes; a string is encoded first.
 *
 * ```ts
 * const reader = jsonReader('{"inputs": [0, 1], "note": {"any": "thing"}}');
 * let inputs: number[] = [];
 * reader.object((key) => { if (key === 'inputs') inputs = reader.integers(); });
 * reader.end();
 * inputs // => [0, 1]
 * ```
 *
 * @param limits the defaults are `JSON_LIMITS`
 * @param place where the text comes from, for errors: a name, or the location of the first byte in a longer text
 * @throws EinstreamError E_LIMIT for more bytes than allowed, E_PARSE for a byte order mark, E_ARGUMENT for another kind of source.
 *   The reader's calls throw E_PARSE where the text is not what they ask for and E_LIMIT one past a limit.
 */
export function jsonReader(
  source: string | Uint8Array,
  limits?: Partial<JsonLimits>,
  place?: string | SourceLocation,
): JsonReader {
  const cursor = cursorOver(source, limits, place);
  const expect = (kind: JsonKind): void => {
    if (peekKind(cursor) !== kind) throw wrongKind(cursor, kind);
  };
  return {
    peek: () => peekKind(cursor),
    object(onKey) {
      expect('object');
      for (let has = open(cursor, CLOSE_OBJECT); has; has = more(cursor, CLOSE_OBJECT)) {
        const key = readKey(cursor);
        const at = cursor.at;
        onKey(key);
        if (cursor.at === at) skipValue(cursor);
      }
    },
    array(onItem) {
      expect('array');
      let index = 0;
      for (let has = open(cursor, CLOSE_ARRAY); has; has = more(cursor, CLOSE_ARRAY)) {
        const at = cursor.at;
        onItem(index++);
        if (cursor.at === at) skipValue(cursor);
      }
    },
    string() {
      expect('string');
      return readString(cursor);
    },
    number() {
      expect('number');
      return readNumber(cursor);
    },
    integer() {
      expect('number');
      return readInteger(cursor);
    },
    boolean() {
      expect('boolean');
      return readLiteral(cursor) === true;
    },
    null() {
      expect('null');
      readLiteral(cursor);
      return null;
    },
    integers() {
      expect('array');
      return readIntegers(cursor);
    },
    numbers: (options) => readNumbers(cursor, options),
    value: () => readValue(cursor),
    skip: () => skipValue(cursor),
    end() {
      if (peekByte(cursor) >= 0) throw unexpected(cursor, 'the end of the text');
    },
    offset: () => cursor.at,
    fault: (code, details, offset) => jsonFault(cursor, offset ?? cursor.at, code, details),
  };
}

/**
 * Reads a text that is one value, as a tree of plain values: objects without a prototype, arrays, strings, numbers.
 *
 * ```ts
 * parseJson('[1, "two", {"three": null}]') // => [1, 'two', { three: null }]
 * ```
 *
 * @throws EinstreamError E_PARSE, E_LIMIT, E_ARGUMENT as `jsonReader` does
 */
export function parseJson(source: string | Uint8Array, limits?: Partial<JsonLimits>, place?: string | SourceLocation): JsonValue {
  const reader = jsonReader(source, limits, place);
  const value = reader.value();
  reader.end();
  return value;
}
