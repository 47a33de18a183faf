/**
 * @file An error as one line that says file, line, code, node, rule, both values and a way out.
 *
 *     feeds.ndjson:3: E_FEED "x": every input needs a feed; expected "x", got no "x"
 */
import {
  EinstreamError,
  formatErrorLine,
  formatLocation,
  singleLine,
  type Diagnostic,
  type SourceLocation,
} from '../errors/index.js';
import { sentence } from '../errors/sentence.js';

/** The file read, and the line of it that the error is about. */
export interface At {
  readonly file: string;
  readonly line?: number;
}

/** A diagnostic in one line. What it says of the place in `at` itself stands in front, not twice. */
export function diagnosticLine(code: string, diagnostic: Diagnostic, at: At): string {
  const { location, rule, op, expected, actual, place, suggestions } = diagnostic;
  const isHere = location !== undefined && location.file === at.file;
  const head = formatLocation(isHere ? { ...at, ...location } : at);
  const tail = location === undefined || isHere ? '' : ` [${formatLocation(location)}]`;
  if (rule === undefined) return `${head}: ${code} ${singleLine(diagnostic.message)}${tail}`;
  const says = sentence({
    place: isHere && place === placeOfText(location) ? undefined : place,
    op,
    rule,
    expected,
    actual,
    hint: suggestions[0],
  });
  return `${head}: ${code} ${says}${tail}`;
}

/** How the JSON reader calls a place in a text. */
const placeOfText = ({ file, line, column }: SourceLocation): string => `${file} line ${line}, column ${column}`;

export const errorLine = (error: unknown, at: At): string =>
  error instanceof EinstreamError
    ? diagnosticLine(error.code, error.diagnostic, at)
    : `${formatLocation(at)}: ${formatErrorLine(error)}`;
