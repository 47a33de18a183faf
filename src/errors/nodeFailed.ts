/**
 * @file E003: a node failed while it ran, told with what was thrown and with its neighbours in the graph.
 */
import type { Diagnostic } from './diagnostic.js';
import { diagnose, EinstreamError, type Fault } from './error.js';
import { quoted } from './escape.js';
import { formatErrorLine } from './print.js';

/** Where in the graph the node stands. */
export interface FailedNode extends Pick<Fault, 'nodeId' | 'op' | 'hint' | 'location' | 'related'> {
  /** Names of the values it reads. */
  readonly inputs?: readonly string[];
  /** Names of the nodes that read it. */
  readonly consumers?: readonly string[];
}

const MOST_NAMES = 8;

function names(title: string, all: readonly string[] = []): readonly string[] {
  if (all.length === 0) return [];
  const rest = all.length > MOST_NAMES ? ` and ${all.length - MOST_NAMES} more` : '';
  return [`${title}: ${all.slice(0, MOST_NAMES).map(quoted).join(', ')}${rest}`];
}

function waysOut(cause: unknown): readonly string[] {
  const known = cause instanceof EinstreamError ? cause.diagnostic.suggestions : [];
  return known.length > 0 ? known : ['look at the cause, and at the values that the node read'];
}

/**
 * The diagnostic of a node that threw `cause`, which it keeps.
 *
 * ```ts
 * nodeFailed('y', new Error('boom'), { op: 'relu', inputs: ['x'] }).context[1] // => 'reads: "x"'
 * ```
 */
export function nodeFailed(node: string, cause: unknown, { inputs, consumers, hint, ...rest }: FailedNode = {}): Diagnostic {
  return diagnose('E_KERNEL', {
    ...rest,
    place: node,
    rule: 'the kernel of a node must not fail',
    actual: formatErrorLine(cause),
    hint: hint ?? waysOut(cause),
    context: [...names('reads', inputs), ...names('read by', consumers)],
    cause,
  });
}
