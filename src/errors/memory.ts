/**
 * @file Findings about memory: E004 out of memory, W001 not released, W003 close to its budget. All amounts are bytes.
 */
import type { Diagnostic } from './diagnostic.js';
import { quoted } from './escape.js';
import { diagnostic, type DiagnosticOptions } from './make.js';
import { humanBytes } from './units.js';

type Details = Pick<DiagnosticOptions, 'location' | 'nodeId' | 'cause' | 'related'> & { readonly place?: string };

const at = (place: string | undefined): string => (place === undefined ? '' : ` at ${quoted(place)}`);

function waysToFit(requested: number, available: number): readonly string[] {
  if (!(available > 0) || !(requested > 0)) return ['Release tensors that are no longer needed, or raise the limit'];
  if (requested <= available)
    return [
      'Release views and pooled buffers: there is enough memory, but not in one piece',
      'Split the tensor along its first axis',
    ];
  const pieces = Math.ceil(requested / available);
  const batch = Math.floor((100 * available) / requested);
  return [
    `Work in chunks: ${pieces} or more, of at most ${humanBytes(available)} each`,
    ...(batch > 0 ? [`Reduce the batch to at most ${batch} % of its size`] : []),
    ...(requested / 2 <= available ? [`Halve the precision (float32 for float64): ${humanBytes(requested / 2)} would fit`] : []),
    ...(requested / 2 > available && requested / 4 <= available
      ? [`Quantise float32 to int8: ${humanBytes(requested / 4)} would fit`]
      : []),
  ];
}

/**
 * E004: `requested` bytes were asked for, `available` could be had. The ways out follow from the two numbers.
 *
 * ```ts
 * outOfMemory(1024 ** 3, 512 * 1024 ** 2).message // => 'Out of memory: 1 GiB requested, 512 MiB available'
 * outOfMemory(1024 ** 3, 512 * 1024 ** 2).suggestions[0] // => 'Work in chunks: 2 or more, of at most 512 MiB each'
 * ```
 */
export function outOfMemory(requested: number, available: number, { place, ...rest }: Details = {}): Diagnostic {
  const missing = requested - available;
  const context = [
    `Requested: ${humanBytes(requested)} (${requested} bytes)`,
    `Available: ${humanBytes(available)} (${available} bytes)`,
    ...(missing > 0 ? [`Missing: ${humanBytes(missing)}`] : []),
  ];
  const message = `Out of memory${at(place)}: ${humanBytes(requested)} requested, ${humanBytes(available)} available`;
  return {
    ...diagnostic.error(message, { ...rest, code: 'E004', context, suggestions: waysToFit(requested, available) }),
    place,
    expected: `at most ${humanBytes(available)}`,
    actual: humanBytes(requested),
  };
}

/**
 * W001: memory that nobody released, with those who hold it where they are known.
 *
 * ```ts
 * leak(3 * 1024 ** 2, { tensors: 2 }).message // => 'Possible memory leak: 3 MiB in 2 tensors not released'
 * ```
 */
export function leak(
  bytes: number,
  { place, tensors, holders = [], ...rest }: Details & { readonly tensors?: number; readonly holders?: readonly string[] } = {},
): Diagnostic {
  const count = tensors === undefined ? '' : ` in ${tensors} ${tensors === 1 ? 'tensor' : 'tensors'}`;
  return {
    ...diagnostic.warning(`Possible memory leak${at(place)}: ${humanBytes(bytes)}${count} not released`, {
      ...rest,
      code: 'W001',
      context: holders.map((holder) => `Held by: ${quoted(holder)}`),
      suggestions: [
        ...(holders.length > 0 ? [`Release what ${quoted(holders[0])} holds`] : []),
        'Unsubscribe from runs that are no longer read: their buffers go back when they end',
        "Copy borrowed outputs that you keep, with run(graph, { outputs: 'copy' })",
      ],
    }),
    place,
  };
}

/**
 * W003: memory in use has come close to its budget, or passed it.
 *
 * ```ts
 * highMemory(900, 1000).message // => 'High memory use: 900 bytes of a budget of 1000 bytes (90 %)'
 * ```
 */
export function highMemory(used: number, budget: number, { place, ...rest }: Details = {}): Diagnostic {
  const share = budget > 0 && used >= 0 ? ` (${Math.round((100 * used) / budget)} %)` : '';
  const excess = used - budget;
  return {
    ...diagnostic.warning(`High memory use${at(place)}: ${humanBytes(used)} of a budget of ${humanBytes(budget)}${share}`, {
      ...rest,
      code: 'W003',
      context: [excess > 0 ? `Over the budget by: ${humanBytes(excess)}` : `Left: ${humanBytes(-excess)}`],
      suggestions: [
        ...(excess > 0 ? [`Reduce the batch to at most ${Math.floor((100 * budget) / used)} % of its size`] : []),
        'Keep fewer intermediate values, and fewer frames in flight',
        "Read outputs in place with run(graph, { outputs: 'borrow' })",
      ],
    }),
    place,
  };
}
