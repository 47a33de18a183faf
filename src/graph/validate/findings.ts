/**
 * @file What a check found: errors and warnings, listed up to a bound and counted beyond it.
 */
import {
  diagnose,
  EinstreamError,
  ERROR_CODES,
  printedCode,
  type Diagnostic,
  type ErrorCode,
  type Fault,
  type SourceLocation,
} from '../../errors/index.js';

/** Most errors listed, and most warnings. What comes after is counted. */
export const MAX_LISTED = 100;

export interface Findings {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** Id of the node that the first error is about. */
  readonly nodeId?: number;
}

export interface Collector {
  /** Whatever was thrown: the engine's own errors are findings, another error goes on. */
  error(thrown: unknown, location?: SourceLocation): void;
  fault(code: ErrorCode, details: Fault): void;
  diagnostic(diagnostic: Diagnostic): void;
  warning(code: string, details: Fault): void;
  /** True while further warnings would still be listed; past it, count with `skipWarnings`. */
  wantsWarnings(): boolean;
  skipWarnings(count: number): void;
  result(): Findings;
}

export function collector(): Collector {
  const errors: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  let [moreErrors, moreWarnings] = [0, 0];
  let nodeId: number | undefined;
  const diagnostic = (found: Diagnostic): void => {
    if (errors.length < MAX_LISTED) errors.push(found);
    else moreErrors++;
  };
  return {
    error(thrown, location) {
      if (!(thrown instanceof EinstreamError)) throw thrown;
      if (errors.length === 0) nodeId = thrown.nodeId;
      diagnostic(
        location === undefined || thrown.diagnostic.location !== undefined
          ? thrown.diagnostic
          : { ...thrown.diagnostic, location },
      );
    },
    fault(code, details) {
      if (errors.length === 0) nodeId = details.nodeId;
      if (errors.length < MAX_LISTED) errors.push(diagnose(code, details));
      else moreErrors++;
    },
    diagnostic,
    warning(code, details) {
      if (warnings.length < MAX_LISTED) warnings.push(asWarning(code, details));
      else moreWarnings++;
    },
    wantsWarnings: () => warnings.length < MAX_LISTED,
    skipWarnings: (count) => void (moreWarnings += count),
    result() {
      if (moreErrors > 0)
        errors.push(
          diagnose('E_LIMIT', {
            place: 'validate',
            rule: `${moreErrors} more errors are not listed`,
            hint: 'correct the first ones and validate again',
          }),
        );
      if (moreWarnings > 0)
        warnings.push(asWarning('W_MORE', { place: 'validate', rule: `${moreWarnings} more warnings are not listed` }));
      return { errors: Object.freeze(errors), warnings: Object.freeze(warnings), nodeId };
    },
  };
}

const asWarning = (code: string, details: Fault): Diagnostic => ({ ...diagnose('E_GRAPH', details), severity: 'warning', code });

const byPrinted = new Map((Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => [printedCode(code), code]));

/** The first error as an `EinstreamError`, with all of them in `diagnostic.related`. */
export function firstError({ errors, nodeId }: Findings): EinstreamError | undefined {
  const first = errors[0];
  if (first === undefined) return undefined;
  return new EinstreamError(byPrinted.get(first.code) ?? 'E_GRAPH', { ...first, related: errors }, { nodeId });
}
