/**
 * @file The engine's one error class, and `fault`, the short way to make one.
 */
import type { Caret, Diagnostic, Severity, SourceLocation } from './diagnostic.js';
import { errorCodeOf, printedCode, type ErrorCode } from './codes.js';
import { describeValue } from './describe.js';
import { sentence, summary } from './sentence.js';

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
  /** More that helps to find the reason, a line each. */
  readonly context?: readonly string[];
  readonly related?: readonly Diagnostic[];
  readonly cause?: unknown;
  /** 'error' unless said otherwise. */
  readonly severity?: Severity;
}

/** What an error knows besides its diagnostic. */
export interface ErrorDetails {
  readonly nodeId?: number;
  /** Number of the attempt that failed, from 1. */
  readonly attempt?: number;
  readonly cause?: unknown;
  readonly suppressed?: readonly unknown[];
}

/**
 * The only error that leaves the engine by itself. Errors of the user's own source pass through untouched.
 *
 * ```ts
 * new EinstreamError(shapeMismatch([64, 128], [64, 256], 'matmul')).code // => 'E_SHAPE'
 * ```
 */
export class EinstreamError extends Error {
  // On the prototype, so that the first line of `stack` has it too.
  declare readonly name: 'EinstreamError';
  static {
    Object.defineProperty(this.prototype, 'name', { value: 'EinstreamError', configurable: true, writable: true });
  }

  readonly code: ErrorCode;
  readonly diagnostic: Diagnostic;
  readonly nodeId?: number;
  readonly attempt?: number;
  /** Faults of the same moment that came second; one may still be added in the tick in which the error is delivered. */
  readonly suppressed: readonly unknown[];

  /** @throws EinstreamError E_ARGUMENT when the diagnostic's code is not one of the error codes */
  constructor(diagnostic: Diagnostic, details?: ErrorDetails);
  constructor(code: ErrorCode, diagnostic: Diagnostic, details?: ErrorDetails);
  constructor(...given: readonly [Diagnostic, ErrorDetails?] | readonly [ErrorCode, Diagnostic, ErrorDetails?]) {
    const [code, diagnostic, details = {}] = isCodeFirst(given) ? given : ([codeOf(given[0]), ...given] as const);
    const cause = details.cause === undefined ? diagnostic.cause : details.cause;
    super(summary(diagnostic), cause === undefined ? undefined : { cause });
    this.code = code;
    this.diagnostic = diagnostic;
    this.nodeId = details.nodeId ?? diagnostic.nodeId;
    this.attempt = details.attempt;
    this.suppressed = [...(details.suppressed ?? [])];
  }
}

type CodeFirst = readonly [ErrorCode, Diagnostic, ErrorDetails?];
const isCodeFirst = (given: readonly [Diagnostic, ErrorDetails?] | CodeFirst): given is CodeFirst => typeof given[0] === 'string';

function codeOf({ code }: Diagnostic): ErrorCode {
  const known = errorCodeOf(code);
  if (known !== undefined) return known;
  throw fault('E_ARGUMENT', {
    place: 'EinstreamError',
    rule: 'the diagnostic of an error must have an error code',
    expected: 'a name of ERROR_CODES, or its printed form',
    actual: describeValue(code),
    hint: 'give the diagnostic a code',
  });
}

/** The diagnostic of a fault. One line of message: place, rule, both values, way out. */
export function diagnose(code: ErrorCode, fault: Fault): Diagnostic {
  const { severity = 'error', hint, context = [], related = [], ...parts } = fault;
  const suggestions = hint === undefined ? [] : typeof hint === 'string' ? [hint] : hint;
  const { expected, actual } = parts;
  return {
    ...parts,
    severity,
    code: printedCode(code),
    message: sentence({ ...parts, hint: suggestions[0] }),
    // One above the other, so that the eye finds the difference.
    context: [
      ...(expected === undefined ? [] : [`expected: ${expected}`]),
      ...(actual === undefined ? [] : [`got:      ${actual}`]),
      ...context,
    ],
    suggestions,
    related,
  };
}

/** Makes, does not throw: `throw fault('E_SHAPE', { place: 'y', rule: … })`. */
export const fault = (code: ErrorCode, details: Fault): EinstreamError => new EinstreamError(code, diagnose(code, details));
