/**
 * @file What there is to say about a fault or a finding: data first, text second.
 *
 * `validate` returns these, every `EinstreamError` carries one, and `formatDiagnostic` prints them. The fields hold
 * the users' texts as they are; whatever prints them escapes them.
 */

/** Ordered: Info < Warning < Error < Critical; `compareSeverity` knows the order. */
export type Severity = 'info' | 'warning' | 'error' | 'critical';

/** Where in a source text; any part may be missing. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A piece of text with the faulty part marked: `at` and `length` count UTF-16 units of `text`. */
export interface Caret {
  readonly text: string;
  readonly at: number;
  readonly length: number;
}

/** What is wrong, where, by which rule, and a way out: plain data, frozen. `formatDiagnostic` prints it. */
export interface Diagnostic {
  readonly severity: Severity;
  /** The seed's number where it has one (`E001`), else the `E_…` or `W…` name; empty when there is none. */
  readonly code: string;
  readonly message: string;
  /** Name of the node, or another place: a feed, an option, a line of a file. */
  readonly place?: string;
  readonly nodeId?: number;
  readonly op?: string;
  /** The rule that was broken. When there is one, `message` already says place, rule, both values and a way out. */
  readonly rule?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly caret?: Caret;
  readonly context: readonly string[];
  /** Ways out, the most likely first. */
  readonly suggestions: readonly string[];
  readonly related: readonly Diagnostic[];
  readonly location?: SourceLocation;
  /** What was thrown below, when this tells of something thrown. */
  readonly cause?: unknown;
}
