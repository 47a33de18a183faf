/**
 * @file Nested arrays of numbers, straight into one Float64Array: the shape is inferred and must be regular.
 */
import { CLOSE_ARRAY, COMMA, MINUS, NINE, SPACE, ZERO } from './ascii.js';
import type { Cursor } from './cursor.js';
import { peekKind, wrongKind, type JsonKind } from './kind.js';
import { readLiteral } from './literal.js';
import { readInteger, readNumber } from './number.js';
import { jsonFault, limitFault } from './place.js';
import { readString } from './string.js';
import { more, open } from './syntax.js';

export interface JsonNumbers {
  /** Row-major. */
  readonly data: Float64Array;
  /** `[]` for a number alone. */
  readonly shape: readonly number[];
  /** `boolean` where every element was true or false, kept as 1 or 0. */
  readonly kind: 'number' | 'boolean';
}

export interface NumbersOptions {
  /** `'strings'`: "NaN", "Infinity" and "-Infinity", in quotes, are elements. Refused by default: JSON has no such numbers. */
  readonly specials?: 'refused' | 'strings';
}

const SPECIALS: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** Reads a number, or arrays of them to any depth. */
export function readNumbers(cursor: Cursor, options: NumbersOptions = {}): JsonNumbers {
  const base = cursor.depth;
  const counts: number[] = [];
  const sizes: number[] = [];
  const elements = growing(cursor);
  let rank = -1; // known once the first element, or the first empty array, has shown how deep elements lie
  let kind: JsonNumbers['kind'] | undefined;
  for (;;) {
    const next = peekKind(cursor);
    const axis = cursor.depth - base;
    if (next === 'array') {
      if (rank >= 0 && axis >= rank) throw ragged(cursor, cursor.at, `a number at depth ${rank}, as before`, 'an array');
      counts[axis] = 0;
      if (open(cursor, CLOSE_ARRAY)) continue;
      if (rank < 0) rank = axis + 1;
      settle(cursor, sizes, axis, 0);
    } else {
      if (rank < 0) rank = axis;
      else if (axis !== rank)
        throw ragged(cursor, cursor.at, `an array: elements lie at depth ${rank}`, `an element at depth ${axis}`);
      kind ??= next === 'boolean' ? 'boolean' : 'number';
      elements.push(readElement(cursor, next, kind, options));
      if (axis > 0 && kind === 'number') counts[axis - 1] += readRun(cursor, elements.push);
    }
    if (closeAxes(cursor, base, counts, sizes)) return { data: elements.done(), shape: sizes, kind: kind ?? 'number' };
  }
}

/**
 * The numbers that follow after a comma and at most one space: nearly all of any array, so nothing is asked twice here.
 * Stops before anything else, and returns how many it read.
 */
function readRun(cursor: Cursor, push: (value: number) => void): number {
  const { bytes, end } = cursor;
  let count = 0;
  while (cursor.at + 2 < end && bytes[cursor.at] === COMMA) {
    const next = bytes[cursor.at + 1] === SPACE ? cursor.at + 2 : cursor.at + 1;
    const byte = bytes[next];
    if ((byte < ZERO || byte > NINE) && byte !== MINUS) break;
    cursor.at = next;
    push(readNumber(cursor));
    count++;
  }
  return count;
}

/** An array of integers. */
export function readIntegers(cursor: Cursor): number[] {
  const items: number[] = [];
  for (let has = open(cursor, CLOSE_ARRAY); has; has = more(cursor, CLOSE_ARRAY)) {
    if (items.length >= cursor.limits.elements) throw tooMany(cursor);
    if (peekKind(cursor) !== 'number') throw wrongKind(cursor, 'number');
    items.push(readInteger(cursor));
  }
  return items;
}

/** Counts the value just read, and closes the arrays that end with it; true when the outermost has. */
function closeAxes(cursor: Cursor, base: number, counts: number[], sizes: number[]): boolean {
  while (cursor.depth > base) {
    const axis = cursor.depth - base - 1;
    counts[axis]++;
    if (more(cursor, CLOSE_ARRAY)) return false;
    settle(cursor, sizes, axis, counts[axis]);
  }
  return true;
}

function settle(cursor: Cursor, sizes: number[], axis: number, count: number): void {
  const size = sizes[axis];
  if (size === undefined) sizes[axis] = count;
  else if (size !== count) throw ragged(cursor, cursor.at - 1, `${size} along axis ${axis}, as before`, String(count));
}

function readElement(
  cursor: Cursor,
  next: JsonKind,
  kind: JsonNumbers['kind'],
  { specials = 'refused' }: NumbersOptions,
): number {
  if (next === 'string' && specials === 'strings' && kind === 'number') return readSpecial(cursor);
  if (next !== kind) {
    throw wrongKind(
      cursor,
      kind,
      next === 'string'
        ? 'quotes make it a string: remove them'
        : next === 'null'
          ? 'there is no missing element: use a number'
          : 'numbers and booleans do not mix',
    );
  }
  return kind === 'number' ? readNumber(cursor) : Number(readLiteral(cursor));
}

function readSpecial(cursor: Cursor): number {
  const at = cursor.at;
  const value = SPECIALS.get(readString(cursor));
  if (value === undefined) {
    throw jsonFault(cursor, at, 'E_PARSE', {
      rule: 'a string among numbers names one that JSON lacks',
      expected: '"NaN", "Infinity" or "-Infinity"',
      actual: 'another string',
      length: cursor.at - at,
    });
  }
  return value;
}

function growing(cursor: Cursor): { push(value: number): void; done(): Float64Array } {
  let data = new Float64Array(16);
  let count = 0;
  return {
    push(value) {
      if (count >= cursor.limits.elements) throw tooMany(cursor);
      if (count === data.length) {
        const wider = new Float64Array(2 * count);
        wider.set(data);
        data = wider;
      }
      data[count++] = value;
    },
    done: () => (count === data.length ? data : data.slice(0, count)),
  };
}

const ragged = (cursor: Cursor, at: number, expected: string, actual: string): Error =>
  jsonFault(cursor, at, 'E_PARSE', {
    rule: 'all arrays along one axis have one length',
    expected,
    actual,
    hint: 'pad the short rows',
  });

const tooMany = (cursor: Cursor): Error =>
  limitFault(
    cursor,
    cursor.at,
    'elements',
    cursor.limits.elements,
    'the elements of an array must stay below the limit',
    `element ${cursor.limits.elements + 1}`,
  );
