/**
 * @file Numbers by JSON's grammar, to the nearest float64.
 *
 * Up to 15 digits (16 below 2^53) and powers of ten up to 22 are exact in float64, so one multiplication or
 * division rounds correctly (Clinger, "How to read floating point numbers accurately", 1990). The rest goes to `Number`.
 */
import { LOWER_E, MINUS, NINE, PLUS, POINT, UPPER_E, ZERO } from './ascii.js';
import type { Cursor } from './cursor.js';
import { jsonFault, limitFault } from './place.js';
import { asciiText } from './text.js';
import { wordHint } from './syntax.js';

const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const EXACT_DIGITS = 16;
const EXACT_BELOW = 2 ** 53;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** The number that starts at the next byte. −0 is kept; what underflows is 0. */
export function readNumber(cursor: Cursor): number {
  const { bytes, end } = cursor;
  const start = cursor.at;
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let mantissa = 0;
  let scale = 0;
  let i = first;
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  assertWhole(cursor, first, i);
  let digits = i - first;
  if (i < end && bytes[i] === POINT) {
    const from = ++i;
    for (; i < end; i++) {
      const digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9) break;
      mantissa = mantissa * 10 + digit;
    }
    if (i === from) throw jsonFault(cursor, i, 'E_PARSE', { rule: 'a decimal point is followed by a digit' });
    scale = from - i;
    digits -= scale;
  }
  if (i < end && (bytes[i] | 0x20) === LOWER_E) {
    const from = i;
    i = exponentEnd(cursor, from);
    scale += i - from > 5 ? NaN : Number(asciiText(cursor, from + 1, i));
  }
  if (i - start > cursor.limits.numberBytes) throw tooLong(cursor, start, i);
  cursor.at = i;
  const isExact = digits <= EXACT_DIGITS && mantissa < EXACT_BELOW && scale >= -22 && scale <= 22;
  if (!isExact) return rounded(cursor, start, i);
  const magnitude = scale === 0 ? mantissa : scale > 0 ? mantissa * POWERS[scale] : mantissa / POWERS[-scale];
  return isNegative ? -magnitude : magnitude;
}

/**
 * An integer written as digits alone, at most 2^53 − 1 in magnitude; −0 is 0.
 * A fraction or exponent is refused, even one that leaves an integer: it may have been rounded to one.
 */
export function readInteger(cursor: Cursor): number {
  const { bytes, end } = cursor;
  const start = cursor.at;
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let value = 0;
  let i = first;
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  assertWhole(cursor, first, i);
  const next = i < end ? bytes[i] : 0;
  if (next === POINT || next === LOWER_E || next === UPPER_E) {
    throw jsonFault(cursor, start, 'E_PARSE', {
      rule: 'an integer has no fraction and no exponent',
      actual: `'${asciiText(cursor, start, i + 1)}…'`,
      length: i - start + 1,
    });
  }
  if (i - start > cursor.limits.numberBytes) throw tooLong(cursor, start, i);
  if (value >= EXACT_BELOW) {
    throw jsonFault(cursor, start, 'E_PARSE', {
      rule: 'an integer must be exact',
      expected: 'at most 2^53 - 1 in magnitude',
      actual: shortened(cursor, start, i),
      length: i - start,
    });
  }
  cursor.at = i;
  return isNegative && value !== 0 ? -value : value;
}

function assertWhole(cursor: Cursor, first: number, i: number): void {
  if (i === first)
    throw jsonFault(cursor, i, 'E_PARSE', { rule: 'a number has a digit after its sign', hint: wordHint(cursor, i) });
  if (cursor.bytes[first] === ZERO && i > first + 1) {
    throw jsonFault(cursor, first, 'E_PARSE', {
      rule: 'a number has no leading zeros',
      length: i - first,
      hint: 'remove the zeros, or quote it as a string',
    });
  }
}

function exponentEnd(cursor: Cursor, from: number): number {
  const { bytes, end } = cursor;
  let i = from + 1;
  if (i < end && (bytes[i] === PLUS || bytes[i] === MINUS)) i++;
  const digits = i;
  while (i < end && isDigit(bytes[i])) i++;
  if (i === digits) throw jsonFault(cursor, i, 'E_PARSE', { rule: 'an exponent has a digit' });
  return i;
}

function rounded(cursor: Cursor, start: number, end: number): number {
  const value = Number(asciiText(cursor, start, end));
  if (Number.isFinite(value)) return value;
  cursor.at = start;
  throw jsonFault(cursor, start, 'E_PARSE', {
    rule: 'a number must be finite as a float64',
    expected: 'at most 1.7976931348623157e308 in magnitude',
    actual: shortened(cursor, start, end),
    length: end - start,
  });
}

const shortened = (cursor: Cursor, start: number, end: number): string =>
  end - start > 40 ? `${asciiText(cursor, start, start + 40)}… (${end - start} characters)` : asciiText(cursor, start, end);

const tooLong = (cursor: Cursor, start: number, end: number): Error =>
  limitFault(
    cursor,
    start,
    'numberBytes',
    cursor.limits.numberBytes,
    'a number must stay below the length limit',
    `${end - start} characters`,
  );
