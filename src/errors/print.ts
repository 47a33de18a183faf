/**
 * @file Anything that was thrown, as text: in one line for a log, or in full with what caused it.
 */
import { describeValue } from './describe.js';
import { EinstreamError } from './error.js';
import { excerpt, field } from './escape.js';
import { formatDiagnostic } from './format.js';
import { summary } from './sentence.js';

const MOST_LINKS = 20;
const DEEPEST = 16;
const MOST_LINES = 200;

/** An error by its shape: one of another realm or thread is no instance of this one's `Error`. */
const isErrorLike = (thrown: unknown): thrown is { readonly name: string; readonly message: string } =>
  typeof thrown === 'object' && thrown !== null && 'name' in thrown && 'message' in thrown;

/** `instanceof` throws on a revoked proxy. */
function isOurs(thrown: unknown): thrown is EinstreamError {
  try {
    return thrown instanceof EinstreamError;
  } catch {
    return false;
  }
}

function foreignLine(thrown: unknown): string {
  // Getters and proxies of a stranger may throw in turn.
  try {
    if (!isErrorLike(thrown)) return `threw ${describeValue(thrown)}`;
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
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * evaluate(g, {}).catch(formatErrorLine) // => 'E_FEED "x" input: every input needs a feed; expected "x", got no "x"'
 * ```
 */
export const formatErrorLine = (error: unknown): string =>
  isOurs(error) ? `${error.code} ${summary(error.diagnostic)}` : foreignLine(error);

function links(error: unknown): readonly (readonly [string, unknown])[] {
  try {
    if (!(error instanceof Error)) return [];
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
  if (depth > DEEPEST || seen.size > MOST_LINES) return [];
  if (typeof error === 'object') seen.add(error);
  return links(error).flatMap(([title, other]) => {
    const line = `${'  '.repeat(depth)}${title}: `;
    if (title === 'Left out') return [`${line}${String(other)}`];
    if (seen.has(other)) return [`${line}${formatErrorLine(other)} (printed above)`];
    return [`${line}${formatErrorLine(other)}`, ...chain(other, depth + 1, seen)];
  });
}

const numbers = ({ nodeId, attempt }: EinstreamError): readonly string[] => [
  ...(nodeId === undefined ? [] : [`Node: ${nodeId}`]),
  ...(attempt === undefined ? [] : [`Attempt: ${attempt}`]),
];

/**
 * The whole story of an error: its diagnostic, the node and attempt, what caused it, and what failed beside it.
 * Cycles end at `(printed above)`; at most 20 links a step and 16 steps are printed.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * const [first] = await evaluate(g, {}).catch((error) => formatError(error).split('\n'));
 * first // => '[ERROR] "x" input: every input needs a feed; expected "x", got no "x"'
 * ```
 */
export function formatError(error: unknown): string {
  const [head, notes] = isOurs(error) ? [formatDiagnostic(error.diagnostic), numbers(error)] : [formatErrorLine(error), []];
  const tail = [...notes, ...chain(error, 0, new Set())];
  return tail.length > 0 ? `${head}\n\n${tail.join('\n')}` : head;
}
