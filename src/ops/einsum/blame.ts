/**
 * @file Errors that point into a spec: the op with its spec, and a caret under the faulty letters.
 */
import { excerpt, fault, type Caret, type EinstreamError, type ErrorCode, type Fault } from '../../errors/index.js';

/** Where a spec is used, for errors. */
export interface EinsumPlace {
  readonly place?: string;
  readonly nodeId?: number;
  /** The op's name, `einsum` where absent. */
  readonly op?: string;
  /** Names of the operands; an operand without one is called by its position. */
  readonly inputs?: readonly string[];
}

/** A part of a spec: `length` UTF-16 units from `at`. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

// A caret under column 90,000 helps nobody: show the surroundings.
const SHOWN = 120;

/** The caret of a span; of a long spec only the surroundings are shown. */
export function caretAt(spec: string, { at, length }: Span): Caret {
  if (spec.length <= SHOWN) return { text: spec, at, length };
  const from = Math.max(0, Math.min(at - SHOWN / 2, spec.length - SHOWN));
  const head = from > 0 ? '…' : '';
  const tail = from + SHOWN < spec.length ? '…' : '';
  return { text: head + spec.slice(from, from + SHOWN) + tail, at: at - from + head.length, length: Math.min(length, from + SHOWN - at) };
}

/** Makes, does not throw, an error of `spec` with the caret under `span`. */
export const specFault = (code: ErrorCode, spec: string, span: Span, details: Fault, place: EinsumPlace = {}): EinstreamError =>
  fault(code, {
    place: place.place,
    nodeId: place.nodeId,
    op: `${place.op ?? 'einsum'} "${excerpt(spec)}"`,
    caret: caretAt(spec, span),
    ...details,
  });
