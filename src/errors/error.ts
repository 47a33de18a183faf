/**
 * @file The engine's one error class, and `fault`, the short way to make one.
 */
import type { Caret, Diagnostic, SourceLocation } from './diagnostic.js';
import { printedCode, type ErrorCode } from './codes.js';
import { singleLine } from './escape.js';

/** What an error must say: the place, the rule, both values and a way out. */
export interface Fault {
  /** Name of the node, feed, option or file concerned. */
  readonly place?: string;
  readonly nodeId?: number;
  readonly op?: string;
  readonly rule: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly hint?: string | readonly string[];
  readonly caret?: Caret;
  readonly location?: SourceLocation;
  readonly related?: readonly Diagnostic[];
  readonly cause?: unknown;
}

/**
 * The only error that leaves the engine by itself. Errors of the user's own source pass through untouched.
 *
 * ```ts
 * try { tensor([1, 2, 3], { shape: [2] }); } catch (error) { (error as EinstreamError).code } // => 'E_SHAPE'
 * ```
 */
export class EinstreamError extends Error {
  override readonly name = 'EinstreamError';
  readonly code: ErrorCode;
  readonly diagnostic: Diagnostic;
  readonly nodeId?: number;
  readonly attempt?: number;
  /** Faults of the same moment that came second. */
  readonly suppressed: readonly unknown[];

  constructor(
    code: ErrorCode,
    diagnostic: Diagnostic,
    details: { nodeId?: number; attempt?: number; cause?: unknown; suppressed?: readonly unknown[] } = {},
  ) {
    super(diagnostic.message, 'cause' in details && details.cause !== undefined ? { cause: details.cause } : undefined);
    this.code = code;
    this.diagnostic = diagnostic;
    this.nodeId = details.nodeId;
    this.attempt = details.attempt;
    this.suppressed = details.suppressed ?? [];
  }
}

/** The diagnostic of a fault. One line of message: place, rule, both values, way out. */
export function diagnose(code: ErrorCode, fault: Fault): Diagnostic {
  const hints = fault.hint === undefined ? [] : typeof fault.hint === 'string' ? [fault.hint] : fault.hint;
  const where = [fault.place === undefined ? undefined : `"${fault.place}"`, fault.op].filter(Boolean).join(' ');
  const values = [
    fault.expected === undefined ? undefined : `expected ${fault.expected}`,
    fault.actual === undefined ? undefined : `got ${fault.actual}`,
  ].filter(Boolean);
  const message = `${where === '' ? '' : `${where}: `}${fault.rule}${values.length > 0 ? `; ${values.join(', ')}` : ''}${hints.length > 0 ? ` (${hints[0]})` : ''}`;
  return {
    severity: 'error',
    code: printedCode(code),
    message: singleLine(message),
    place: fault.place,
    op: fault.op,
    rule: fault.rule,
    expected: fault.expected,
    actual: fault.actual,
    caret: fault.caret,
    context: values.length > 0 ? [values.join(', ')] : [],
    suggestions: hints,
    related: fault.related ?? [],
    location: fault.location,
  };
}

/** Makes, does not throw: `throw fault('E_SHAPE', { place: 'y', rule: … })`. */
export const fault = (code: ErrorCode, details: Fault): EinstreamError =>
  new EinstreamError(code, diagnose(code, details), { nodeId: details.nodeId, cause: details.cause });
