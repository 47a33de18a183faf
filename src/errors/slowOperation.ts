/**
 * @file W002: an operation took longer than it should have.
 */
import type { Diagnostic } from './diagnostic.js';
import { field, quoted } from './escape.js';
import { diagnostic, type DiagnosticOptions } from './make.js';
import { humanMs, ratio } from './units.js';

type Details = Pick<DiagnosticOptions, 'location' | 'nodeId' | 'related'> & { readonly place?: string };

/**
 * Tells how much slower an operation was than expected; times in milliseconds.
 *
 * ```ts
 * slowOperation('einsum', 150, 50).message // => 'Slow einsum operation: 3.00x the expected time'
 * ```
 */
export function slowOperation(op: string, actualMs: number, expectedMs: number, { place, ...rest }: Details = {}): Diagnostic {
  const isExtreme = actualMs >= 10 * expectedMs;
  const where = place === undefined ? '' : ` at ${quoted(place)}`;
  return {
    ...diagnostic.warning(`Slow ${field(op)} operation${where}: ${ratio(actualMs, expectedMs)} the expected time`, {
      ...rest,
      code: 'W002',
      context: [`Actual: ${humanMs(actualMs)}, expected: ${humanMs(expectedMs)}`],
      suggestions: [
        // So large a factor is seldom the arithmetic itself.
        ...(isExtreme ? ['Look for a fallback to another backend, or for compilation inside the measured time'] : []),
        "Raise the optimisation level: run(graph, { level: 'aggressive' })",
        'Profile the run to see which nodes take the time',
      ],
    }),
    place,
    op,
    expected: humanMs(expectedMs),
    actual: humanMs(actualMs),
  };
}
