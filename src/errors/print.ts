/**
 * @file Anything that was thrown, as text: in one line for a log, or in full with what caused it.
 */
import { EinstreamError } from './error.js';
import { excerpt, field } from './escape.js';
import { formatDiagnostic } from './format.js';
import { summary } from './sentence.js';

const MOST_LINKS = 20;
const DEEPEST = 16;

function foreignLine(thrown: unknown): string {
  // Getters and `toString` of a stranger may throw in turn.
  try {
    if (!(thrown instanceof Error)) return `threw ${field(typeof thrown === 'string' ? thrown : String(thrown))}`;
    return thrown.message ? `${field(thrown.name)}: ${excerpt(thrown.message, 4_000)}` : field(thrown.name);
  } catch {
    return 'threw a value that cannot be printed';
  }
}

/**
 * `code place: rule; expected …, got … (hint)`, on one line whatever the names in it. What is no error of ours is
 * printed as `Name: message`.
 *
 * ```ts
 * formatErrorLine(fault('E_FEED', { place: 'x', rule: 'an input needs a feed', hint: 'feed it' })) // => 'E_FEED "x": an input needs a feed (feed it)'
 * ```
 */
export const formatErrorLine = (error: unknown): string =>
  error instanceof EinstreamError ? `${error.code} ${summary(error.diagnostic)}` : foreignLine(error);

function links(error: unknown): readonly (readonly [string, unknown])[] {
  if (!(error instanceof Error)) return [];
  try {
    const second = error instanceof EinstreamError ? error.suppressed : error instanceof AggregateError ? error.errors : [];
    const all = [
      ...(error.cause === undefined ? [] : [['Caused by', error.cause] as const]),
      ...[...(second as readonly unknown[])].map((other) => ['Suppressed', other] as const),
    ];
    return all.length > MOST_LINKS ? [...all.slice(0, MOST_LINKS), ['Left out', `${all.length - MOST_LINKS} more`]] : all;
  } catch {
    return [];
  }
}

/** The lines of what came before an error, each step down indented. */
function chain(error: unknown, depth: number, seen: Set<unknown>): readonly string[] {
  if (depth > DEEPEST) return [];
  seen.add(error);
  return links(error).flatMap(([title, other]) => {
    const line = `${'  '.repeat(depth)}${title}: `;
    if (title === 'Left out') return [`${line}${String(other)}`];
    if (seen.has(other)) return [`${line}${formatErrorLine(other)} (printed above)`];
    return [`${line}${formatErrorLine(other)}`, ...chain(other, depth + 1, seen)];
  });
}

/**
 * The whole story of an error: its diagnostic, the node and attempt, what caused it, and what failed beside it.
 * Cycles end at `(printed above)`; at most 20 links a step and 16 steps are printed.
 */
export function formatError(error: unknown): string {
  const isOurs = error instanceof EinstreamError;
  const notes = !isOurs ? [] : [
    ...(error.nodeId === undefined ? [] : [`Node: ${error.nodeId}`]),
    ...(error.attempt === undefined ? [] : [`Attempt: ${error.attempt}`]),
  ];
  const tail = [...notes, ...chain(error, 0, new Set())];
  return [isOurs ? formatDiagnostic(error.diagnostic) : formatErrorLine(error), ...(tail.length > 0 ? [tail.join('\n')] : [])].join('\n\n');
}
