/**
 * @file What gpu.js rejects with, as an error that says what it is: it throws texts alone.
 */
import { EinstreamError, fault, type ErrorCode } from '../../errors/index.js';

const KINDS: readonly (readonly [pattern: RegExp, code: ErrorCode, rule: string])[] = [
  [
    /device was lost|context (?:was )?lost|device is lost|lost device|is from a different WebGPU device/i,
    'E_BACKEND_LOST',
    'the device must stay available',
  ],
  [/error compiling|error creating|failed to compile/i, 'E_CODEGEN', 'gpu.js must take the kernel'],
  [/bytes but this device allows|texture size|out of memory/i, 'E_OOM', 'tensors must fit into the memory of the device'],
];

const UNKNOWN: (typeof KINDS)[number] = [/$/, 'E_KERNEL', 'the kernel must not fail'];

/** The failure by its kind; E_KERNEL where the text says none. */
export function failure(cause: unknown): EinstreamError {
  if (cause instanceof EinstreamError) return cause;
  // So a readback ends when its device is destroyed, without a word: no other one aborts it.
  const isAborted = cause instanceof Error && cause.name === 'AbortError';
  // The log of a compiler is told; the whole source, which gpu.js adds, is the cause's.
  const [text] = (cause instanceof Error ? cause.message : String(cause)).split('\n--- generated');
  const actual = isAborted ? `the readback was aborted: the device was lost. ${text}`.trim() : text;
  const [, code, rule] = KINDS.find(([pattern]) => pattern.test(actual)) ?? UNKNOWN;
  return fault(code, { place: 'gpu', rule, actual, cause });
}
