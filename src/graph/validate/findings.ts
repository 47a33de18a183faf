/**
 * @file What a check found, listed up to a bound and counted beyond it.
 */
import {
  diagnose,
  EinstreamError,
  errorCodeOf,
  type Diagnostic,
  type ErrorCode,
  type Fault,
  type SourceLocation,
} from '../../errors/index.js';

/** Most errors listed, and most warnings. What comes after is counted. */
export const MAX_LISTED = 100;

export interface Findings {
  readonly listed: readonly Diagnostic[];
  /** Id of the node that the first error is about. */
  readonly nodeId?: number;
}

export interface Collector {
  /** Whatever was thrown: the engine's own errors are findings, another error goes on. */
  error(thrown: unknown, location?: SourceLocation): void;
  fault(code: ErrorCode, details: Fault): void;
  diagnostic(diagnostic: Diagnostic): void;
  result(): Findings;
}

export function collector(): Collector {
  const listed: Diagnostic[] = [];
  let more = 0;
  let nodeId: number | undefined;
  const diagnostic = (found: Diagnostic): void => {
    if (listed.length < MAX_LISTED) listed.push(found);
    else more++;
  };
  return {
    error(thrown, location) {
      if (!(thrown instanceof EinstreamError)) throw thrown;
      if (listed.length === 0) nodeId = thrown.nodeId;
      diagnostic(
        location === undefined || thrown.diagnostic.location !== undefined
          ? thrown.diagnostic
          : { ...thrown.diagnostic, location },
      );
    },
    fault(code, details) {
      if (listed.length === 0) nodeId = details.nodeId;
      if (listed.length < MAX_LISTED) listed.push(diagnose(code, details));
      else more++;
    },
    diagnostic,
    result() {
      if (more > 0)
        listed.push(
          diagnose('E_LIMIT', {
            place: 'validate',
            rule: `${more} more errors are not listed`,
            hint: 'correct the first ones and validate again',
          }),
        );
      return { listed: Object.freeze(listed), nodeId };
    },
  };
}

/** The first error as an `EinstreamError`, with all of them in `diagnostic.related`. */
export function firstError({ listed, nodeId }: Findings): EinstreamError | undefined {
  const first = listed[0];
  if (first === undefined) return undefined;
  return new EinstreamError(errorCodeOf(first.code) ?? 'E_GRAPH', { ...first, related: listed }, { nodeId });
}
