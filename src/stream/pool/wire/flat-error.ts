/**
 * @file Errors on their way between threads: all that they say, without the objects that they hold.
 */
import { EinstreamError, diagnose, errorCodeOf, type Diagnostic } from '../../../errors/index.js';
import type { FlatError } from './protocol.js';

/** @param place where something bare was thrown */
export function flatten(error: unknown, place: string): FlatError {
  if (error instanceof EinstreamError)
    return { code: error.code, diagnostic: plain(error.diagnostic, error.cause), nodeId: error.nodeId };
  const actual = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    code: 'E_KERNEL',
    diagnostic: plain(diagnose('E_KERNEL', { place, rule: 'a graph must run', actual })),
    nodeId: undefined,
  };
}

/** Causes become lines of context. */
function plain(diagnostic: Diagnostic, cause: unknown = diagnostic.cause): Diagnostic {
  const { cause: _, ...rest } = diagnostic;
  const told = cause === undefined ? [] : [`caused by: ${cause instanceof Error ? cause.message : String(cause)}`];
  // Frozen and proxied parts alike: what remains is text and numbers.
  return JSON.parse(
    JSON.stringify({ ...rest, context: [...rest.context, ...told], related: rest.related.map((each) => plain(each)) }),
  ) as Diagnostic;
}

/** The error that was flattened, or undefined for what is none. */
export function restored(flat: unknown, attempt: number): EinstreamError | undefined {
  if (typeof flat !== 'object' || flat === null) return undefined;
  const { code, diagnostic, nodeId } = flat as Partial<FlatError>;
  const isWhole =
    typeof code === 'string' &&
    errorCodeOf(code) === code &&
    typeof diagnostic?.message === 'string' &&
    [diagnostic.context, diagnostic.suggestions, diagnostic.related].every(Array.isArray);
  return isWhole ? new EinstreamError(code, diagnostic, { nodeId, attempt }) : undefined;
}
