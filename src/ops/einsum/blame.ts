/**
 * @file Errors that point into a spec: the op with its spec, and a caret under the faulty letters.
 */
import { excerpt, fault, type EinstreamError, type ErrorCode, type Fault } from '../../errors/index.js';

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

/** Makes, does not throw, an error of `spec` with the caret under `span`. */
export const specFault = (code: ErrorCode, spec: string, span: Span, details: Fault, place: EinsumPlace = {}): EinstreamError =>
  fault(code, {
    place: place.place,
    nodeId: place.nodeId,
    op: `${place.op ?? 'einsum'} "${excerpt(spec)}"`,
    caret: { text: spec, ...span },
    ...details,
  });
