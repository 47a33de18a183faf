/**
 * @file Places in source texts: printed, and read from the spans that graph metadata carries.
 */
import type { SourceLocation } from './diagnostic.js';
import { field } from './escape.js';

/**
 * `file:line:column`, as editors and terminals link it. Without a file the parts are named.
 *
 * ```ts
 * formatLocation({ file: 'model.rs', line: 42 }) // => 'model.rs:42'
 * formatLocation({ line: 42, column: 7 }) // => 'line 42, column 7'
 * ```
 */
export function formatLocation({ file, line, column }: SourceLocation): string {
  const named = [line === undefined ? '' : `line ${line}`, column === undefined ? '' : `column ${column}`].filter(Boolean);
  if (file === undefined) return named.join(', ') || 'an unknown place';
  if (line === undefined) return [field(file), ...named].join(', ');
  return `${field(file)}:${line}${column === undefined ? '' : `:${column}`}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/**
 * The location of a span as graph metadata writes it: `{ file, line, column }`, or `{ start, end }` of two such.
 * Parts of other types are left out; undefined when none is usable.
 *
 * ```ts
 * locationOfSpan({ start: { file: 'rules.tl', line: 3, column: 5 }, end: { line: 3, column: 9 } })?.line // => 3
 * locationOfSpan('somewhere') // => undefined
 * ```
 */
export function locationOfSpan(span: unknown): SourceLocation | undefined {
  if (!isRecord(span)) return undefined;
  const { file, line, column } = isRecord(span['start']) ? span['start'] : span;
  const location = {
    ...(typeof file === 'string' && { file }),
    ...(isCount(line) && { line }),
    ...(isCount(column) && { column }),
  };
  return Object.keys(location).length > 0 ? location : undefined;
}
