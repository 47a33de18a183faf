/**
 * @file Where in the text a fault lies: line, column, byte, and the line itself with a caret.
 *
 * Nothing is counted while reading; one pass up to the fault finds all of it.
 */
import { fault, singleLine, type Caret, type EinstreamError, type ErrorCode, type SourceLocation } from '../../errors/index.js';
import { NEWLINE } from './ascii.js';
import { sequenceLength } from './utf8.js';

/** The part of a cursor that a place is told from. */
interface Text {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly origin: SourceLocation;
}

/** What is wrong, without the place. `length` counts the faulty bytes. */
export interface JsonFault {
  readonly rule: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly hint?: string;
  readonly length?: number;
  readonly cause?: unknown;
}

/** Bytes shown on each side of a fault. */
const CONTEXT = 40;

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const shown = (bytes: Uint8Array, from: number, to: number): string => singleLine(lossy.decode(bytes.subarray(from, to)));
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** An error about the byte at `offset`, located; made, not thrown. */
export function jsonFault(text: Text, offset: number, code: ErrorCode, details: JsonFault): EinstreamError {
  const at = Math.min(offset, text.end);
  const { line, column, lineStart } = positionOf(text, at);
  const { length, actual, ...rest } = details;
  return fault(code, {
    ...rest,
    actual: `${actual ?? described(text, at)} at byte ${at}`,
    place: `${text.origin.file ?? 'JSON'} line ${line}, column ${column}`,
    location: { ...(text.origin.file === undefined ? {} : { file: text.origin.file }), line, column },
    caret: caretAt(text, lineStart, at, length ?? characterBytes(text, at)),
  });
}

/** An error for a limit that was passed at `offset`. */
export const limitFault = (
  text: Text,
  offset: number,
  name: string,
  limit: number,
  rule: string,
  actual: string,
): EinstreamError =>
  jsonFault(text, offset, 'E_LIMIT', {
    rule,
    expected: `at most ${limit}`,
    actual,
    hint: `pass limits: { ${name}: … } to allow more`,
  });

/** Lines and columns from 1; a column is one Unicode character. */
function positionOf({ bytes, origin }: Text, at: number): { line: number; column: number; lineStart: number } {
  let line = origin.line ?? 1;
  let lineStart = 0;
  for (let i = 0; i < at; i++) {
    if (bytes[i] === NEWLINE) {
      line++;
      lineStart = i + 1;
    }
  }
  let column = lineStart === 0 ? (origin.column ?? 1) : 1;
  for (let i = lineStart; i < at; i++) if (!isContinuation(bytes[i])) column++;
  return { line, column, lineStart };
}

function caretAt({ bytes, end }: Text, lineStart: number, at: number, length: number): Caret {
  let from = Math.max(lineStart, at - CONTEXT);
  while (from < at && isContinuation(bytes[from])) from++;
  const until = Math.min(end, at + CONTEXT);
  const newline = bytes.subarray(at, until).indexOf(NEWLINE);
  let to = newline < 0 ? until : at + newline;
  while (to > at && to < end && isContinuation(bytes[to])) to--;
  const marked = Math.min(at + length, to);
  const before = shown(bytes, from, at);
  const fault = shown(bytes, at, marked);
  return { text: before + fault + shown(bytes, marked, to), at: before.length, length: Math.max(1, fault.length) };
}

const characterBytes = ({ bytes, end }: Text, at: number): number => Math.max(1, sequenceLength(bytes, at, end));

function described(text: Text, at: number): string {
  const { bytes, end } = text;
  if (at >= end) return 'the end of the text';
  const byte = bytes[at];
  const length = sequenceLength(bytes, at, end);
  const isPrintable = length > 1 || (byte > 0x20 && byte < 0x7f);
  return isPrintable ? `'${shown(bytes, at, at + length)}'` : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
