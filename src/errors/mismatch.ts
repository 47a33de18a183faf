/**
 * @file What shape and type mismatches share: two sides, an operation, a place.
 */
import type { Diagnostic } from './diagnostic.js';
import { diagnose, type Fault } from './error.js';
import { quoted } from './escape.js';
import { diagnostic } from './make.js';

/** A fault told by the node that has it. */
export type NodeFault = Fault & { readonly node?: string };

/** What a mismatch may say besides its two sides. */
export type MismatchDetails = Pick<Fault, 'place' | 'nodeId' | 'caret' | 'location' | 'related' | 'cause'>;

/** The diagnosis of a fault whose place is a node. */
export function nodeDiagnosis(code: 'E_SHAPE' | 'E_DTYPE', { node, ...rest }: NodeFault): Diagnostic {
  return diagnose(code, { ...rest, place: rest.place ?? node });
}

/** A diagnostic of two sides that do not fit, at a place. */
export function mismatch(
  title: string,
  code: string,
  context: readonly string[],
  suggestions: readonly string[],
  { place, op, expected, actual, ...rest }: MismatchDetails & Pick<Diagnostic, 'op' | 'expected' | 'actual'>,
): Diagnostic {
  const message = place === undefined ? title : `${title} at ${quoted(place)}`;
  return { ...diagnostic.error(message, { code, context, suggestions, ...rest }), place, op, expected, actual };
}
