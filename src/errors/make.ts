/**
 * @file Diagnostics of users and of the engine's own findings, made from what there is to say.
 */
import type { Diagnostic, Severity } from './diagnostic.js';
import { describeValue } from './describe.js';
import { SEVERITIES } from './severity.js';
import { fault } from './error.js';

/** What a diagnostic may say besides its message. A single text stands for a list of one. */
export interface DiagnosticOptions extends Pick<Diagnostic, 'location' | 'caret' | 'nodeId' | 'cause'> {
  readonly code?: string;
  readonly context?: string | readonly string[];
  readonly suggestions?: string | readonly string[];
  readonly related?: readonly Diagnostic[];
}

const list = (texts: string | readonly string[] = []): readonly string[] => (typeof texts === 'string' ? [texts] : [...texts]);

function make({
  severity = 'error',
  code = '',
  message,
  context,
  suggestions,
  related = [],
  ...rest
}: DiagnosticOptions & { readonly severity?: Severity; readonly message: string }): Diagnostic {
  if (!SEVERITIES.includes(severity)) {
    throw fault('E_ARGUMENT', {
      place: 'severity',
      rule: 'a diagnostic has one of four severities',
      expected: SEVERITIES.join(', '),
      actual: describeValue(severity),
    });
  }
  return { severity, code, message, context: list(context), suggestions: list(suggestions), related: [...related], ...rest };
}

const maker =
  (severity: Severity) =>
  (message: string, options: DiagnosticOptions = {}): Diagnostic =>
    make({ ...options, severity, message });

/**
 * A diagnostic from its parts; `severity` is 'error' unless given. `diagnostic.info`, `.warning`, `.error` and
 * `.critical` take the message first.
 *
 * ```ts
 * formatDiagnostic(diagnostic.warning('not used', { location: { file: 'm.json', line: 3 } })) // => '[WARNING] not used\n  at m.json:3'
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a severity that is none of the four
 */
export const diagnostic = Object.assign(make, {
  info: maker('info'),
  warning: maker('warning'),
  error: maker('error'),
  critical: maker('critical'),
});
