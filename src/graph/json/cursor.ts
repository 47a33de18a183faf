/**
 * @file The state of one reading: where we are in the bytes, and the scratch memory that the readers share.
 *
 * A mutable record, private to the reader that made it: every step of the hot path reads and writes it.
 */
import { fault, type SourceLocation } from '../../errors/index.js';
import { jsonLimits, type JsonLimits } from './limits.js';
import { jsonFault } from './place.js';

/** The keys already seen in the object at one depth; reused by the next object there. */
export interface KeyScope {
  count: number;
  readonly few: string[];
  many: Set<string> | undefined;
}

export interface Cursor {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly limits: JsonLimits;
  /** Where the first byte stands. */
  readonly origin: SourceLocation;
  /** Of the next byte to read. */
  at: number;
  depth: number;
  /** `bytes[windowAt, windowEnd)` as text; undefined where they are not all ASCII. */
  window: string | undefined;
  windowAt: number;
  windowEnd: number;
  readonly scopes: KeyScope[];
  /** Short strings read of late, each in the slot of its hash; '' where there was none. No slots for a short text. */
  readonly interned: string[];
  /** Where the bytes of each lie. */
  readonly internedAt: number[];
}

export const INTERNED = 512;
/** Bytes below which a text, such as one line of many, repeats too few strings to pay for the slots. */
const WORTH_INTERNING = 4096;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Starts at the first byte of a text.
 *
 * @param place where the text comes from: a name, or the location of its first byte (a line of a longer file)
 * @throws EinstreamError E_LIMIT for too many bytes; E_PARSE for a byte order mark, or for half a surrogate pair in a string
 */
export function cursorOver(source: string | Uint8Array, given?: Partial<JsonLimits>, place?: string | SourceLocation): Cursor {
  const limits = jsonLimits(given);
  const origin: SourceLocation = typeof place === 'string' ? { file: place } : (place ?? {});
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) {
    throw fault('E_ARGUMENT', {
      place: origin.file,
      rule: 'JSON is read from a string or a Uint8Array',
      actual: source === null ? 'null' : typeof source,
    });
  }
  // Each UTF-16 unit takes a byte or more, so a string over the limit is refused before it is copied.
  assertBytes(source.length, limits, origin);
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
  assertBytes(bytes.length, limits, origin);
  const slots = bytes.length < WORTH_INTERNING ? 0 : INTERNED;
  const isAscii = typeof source === 'string' && source.length === bytes.length;
  const cursor: Cursor = {
    bytes,
    end: bytes.length,
    limits,
    origin,
    at: 0,
    depth: 0,
    window: isAscii ? source : undefined,
    windowAt: 0,
    windowEnd: isAscii ? bytes.length : 0,
    scopes: [],
    interned: new Array<string>(slots).fill(''),
    internedAt: new Array<number>(slots).fill(0),
  };
  if (typeof source === 'string' && !isAscii) assertWellFormed(source, cursor);
  assertNoMark(cursor);
  return cursor;
}

function assertBytes(count: number, limits: JsonLimits, origin: SourceLocation): void {
  if (count <= limits.bytes) return;
  throw fault('E_LIMIT', {
    place: origin.file ?? 'JSON',
    rule: 'the text must stay below the byte limit',
    expected: `at most ${limits.bytes} bytes`,
    actual: `${count} or more`,
    hint: 'pass limits: { bytes: … } to allow more',
    location: origin,
  });
}

function assertWellFormed(source: string, cursor: Cursor): void {
  const index = source.search(LONE_SURROGATE);
  if (index < 0) return;
  const code = source.charCodeAt(index).toString(16);
  throw jsonFault(cursor, new TextEncoder().encode(source.slice(0, index)).length, 'E_PARSE', {
    rule: 'a text is well-formed Unicode',
    actual: `half a surrogate pair, U+${code.toUpperCase()}`,
    hint: `write it as the escape \\u${code}`,
  });
}

function assertNoMark(cursor: Cursor): void {
  const [a, b, c] = cursor.bytes;
  const wide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (!wide && !(a === 0xef && b === 0xbb && c === 0xbf)) return;
  throw jsonFault(cursor, 0, 'E_PARSE', {
    rule: 'JSON starts without a byte order mark',
    actual: wide ? 'a UTF-16 byte order mark' : 'a UTF-8 byte order mark (ef bb bf)',
    hint: wide ? 'save the file as UTF-8 without a mark' : 'remove its first three bytes: save the file as UTF-8 without a mark',
  });
}
