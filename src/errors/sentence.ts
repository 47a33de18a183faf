/**
 * @file A diagnostic in one line.
 */
import type { Diagnostic } from './diagnostic.js';
import { excerpt, field, quoted } from './escape.js';

interface Parts {
  readonly place?: string;
  readonly op?: string;
  readonly rule: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly hint?: string;
}

/** `place op: rule; expected …, got … (hint)`, without what is absent. */
export function sentence({ place, op, rule, expected, actual, hint }: Parts): string {
  const where = [place === undefined ? '' : quoted(place), op === undefined ? '' : field(op)].filter(Boolean).join(' ');
  const values = [expected === undefined ? '' : `expected ${field(expected)}`, actual === undefined ? '' : `got ${field(actual)}`]
    .filter(Boolean)
    .join(', ');
  return [where && `${where}: `, field(rule), values && `; ${values}`, hint ? ` (${field(hint)})` : ''].join('');
}

/** All that a diagnostic says of one fault, in one line. */
export function summary({ rule, message, context, suggestions }: Diagnostic): string {
  const text = excerpt(message, 4_000);
  if (rule !== undefined) return text;
  const details = context.length > 0 ? `: ${context.slice(0, 8).map(field).join('; ')}` : '';
  return `${text}${details}${suggestions.length > 0 ? ` (${field(suggestions[0])})` : ''}`;
}
