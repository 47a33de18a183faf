/**
 * @file Many diagnostics, counted and printed together.
 */
import type { Diagnostic } from './diagnostic.js';
import { formatDiagnostic } from './format.js';
import { compareSeverity, isFatal } from './severity.js';

/** A growing list of diagnostics, in the order of their arrival. */
export interface DiagnosticCollector extends Iterable<Diagnostic> {
  readonly length: number;
  /** Whether any is an error or critical. */
  readonly hasErrors: boolean;
  /** How many are errors or critical. */
  readonly errorCount: number;
  readonly warningCount: number;
  at(index: number): Diagnostic | undefined;
  add(...diagnostics: readonly Diagnostic[]): void;
  clear(): void;
  /** All of them, the gravest first and equals in the order of arrival, then the two counts. */
  formatAll(): string;
}

/**
 * An empty collector, or one that holds `initial`.
 *
 * ```ts
 * collector([diagnostic.critical('a'), diagnostic.warning('b')]).formatAll().split('\n').at(-1) // => 'Summary: 1 error(s), 1 warning(s)'
 * ```
 */
export function collector(initial: Iterable<Diagnostic> = []): DiagnosticCollector {
  const held: Diagnostic[] = [...initial];
  const count = (is: (diagnostic: Diagnostic) => boolean): number => held.reduce((sum, item) => sum + Number(is(item)), 0);
  const errors = (): number => count(({ severity }) => isFatal(severity));
  const warnings = (): number => count(({ severity }) => severity === 'warning');
  return {
    get length() {
      return held.length;
    },
    get hasErrors() {
      return held.some(({ severity }) => isFatal(severity));
    },
    get errorCount() {
      return errors();
    },
    get warningCount() {
      return warnings();
    },
    at: (index) => held.at(index),
    add: (...diagnostics) => {
      for (const item of diagnostics) held.push(item);
    },
    clear: () => {
      held.length = 0;
    },
    formatAll: () => {
      const gravestFirst = [...held].sort((a, b) => compareSeverity(b.severity, a.severity));
      return [...gravestFirst.map(formatDiagnostic), `Summary: ${errors()} error(s), ${warnings()} warning(s)`].join('\n\n');
    },
    [Symbol.iterator]: () => held.values(),
  };
}
