/**
 * @file A diagnostic as text for people: headline, place, code, the faulty text, context, ways out.
 *
 * Nothing that a user named can start a line, colour a terminal or pass for another field.
 */
import { caretLines } from './caret.js';
import type { Diagnostic } from './diagnostic.js';
import { excerpt, field } from './escape.js';
import { formatLocation } from './location.js';

/** Entries of a section that are printed; a graph can have a million faults. */
const MOST = 50;

function section(title: string, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return [];
  const rest = entries.length > MOST ? [`  … and ${entries.length - MOST} more`] : [];
  return [`${title}:`, ...entries.slice(0, MOST).map((entry) => `  ${entry}`), ...rest];
}

const headline = ({ severity, message }: Diagnostic): string => `[${severity.toUpperCase()}] ${excerpt(message, 4_000)}`;

function related(diagnostic: Diagnostic): string {
  const { code, location } = diagnostic;
  const notes = [...(code === '' ? [] : [field(code)]), ...(location === undefined ? [] : [`at ${formatLocation(location)}`])];
  return `- ${headline(diagnostic)}${notes.length > 0 ? ` [${notes.join(' ')}]` : ''}`;
}

/**
 * The whole diagnostic. Sections that have nothing to say are left out; no line break at the end.
 *
 * ```ts
 * formatDiagnostic(diagnostic.error('no fit', { code: 'E001', suggestions: 'reshape' })) // => '[ERROR] no fit\n  code: E001\n\nSuggestions:\n  1. reshape'
 * ```
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { location, code, caret, context, suggestions } = diagnostic;
  const head = [
    headline(diagnostic),
    ...(location === undefined ? [] : [`  at ${formatLocation(location)}`]),
    ...(code === '' ? [] : [`  code: ${field(code)}`]),
  ];
  const blocks = [
    head,
    caret === undefined ? [] : caretLines(caret).map((line) => `  ${line}`),
    section('Context', context.map(field)),
    section(
      'Suggestions',
      suggestions.map((way, index) => `${index + 1}. ${field(way)}`),
    ),
    section('Related', diagnostic.related.map(related)),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
