/**
 * @file The one table of error codes. Every failure that leaves the engine carries one of these.
 *
 * The seed's numbers (E001 …) are kept as the printed form where it has one.
 */

/**
 * What each code stands for.
 *
 * ```ts
 * ERROR_CODES.E_FEED // => 'a feed is missing or does not fit its input'
 * ```
 */
export const ERROR_CODES = {
  E_ARGUMENT: 'an argument of a call is not usable',
  E_FEED: 'a feed is missing or does not fit its input',
  E_GRADIENT: 'a gradient cannot be computed',
  E_BACKEND: 'a backend is missing or cannot do the work',
  E_STALE: 'a tensor was read after its frame ended, or its memory was released or transferred',
  E_PARSE: 'a text does not follow its grammar',
  E_LIMIT: 'a documented limit was exceeded',
  E_GRAPH: 'the structure of a graph is broken',
  E_CYCLE: 'a graph depends on itself',
  E_NAME: 'a name is missing or cannot be used',
  E_SHAPE: 'shapes do not fit together',
  E_DTYPE: 'an element type does not fit',
  E_OP: 'an operation is unknown or was called wrongly',
  E_OOM: 'memory for a tensor cannot be had',
  E_TIMEOUT: 'work took longer than allowed',
  E_ABORT: 'work was cancelled',
  E_QUEUE_FULL: 'a bounded queue refused an item',
  E_EXPIRED: 'a request passed its deadline',
  E_WORKER_LOST: 'a worker ended while it held work',
  E_KERNEL: 'a kernel failed while it ran',
  E_CONSUMER: 'a callback given to the engine threw',
  E_DEMAND: 'demand was signalled wrongly, or is missing',
  E_TEARDOWN: 'a teardown threw',
  E_CKPT_CORRUPT: 'a checkpoint is damaged',
  E_CKPT_VERSION: 'a checkpoint is of another version',
  E_CKPT_IO: 'a checkpoint cannot be read or written',
  E_NODE_LOST: 'a peer of a distributed run is gone',
  E_PARTITION: 'a distributed run is split',
  E_BACKEND_LOST: 'a backend lost its device',
  E_CODEGEN: 'a kernel cannot be generated',
  E_NUMERIC: 'a number is outside what the operation allows',
  E_CALIBRATION: 'calibration has no usable data',
} as const;

/** A key of `ERROR_CODES`: what an `EinstreamError` is about. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * What each finding that is no error stands for.
 *
 * ```ts
 * WARNING_CODES.W002 // => 'an operation was slower than expected'
 * ```
 */
export const WARNING_CODES = {
  W001: 'memory was not released',
  W002: 'an operation was slower than expected',
  W003: 'memory use is close to its budget, or over it',
} as const;

const PRINTED: Partial<Record<ErrorCode, string>> = { E_SHAPE: 'E001', E_DTYPE: 'E002', E_KERNEL: 'E003', E_OOM: 'E004' };

/** The code as a diagnostic prints it: the seed's number where it has one, else the name. */
export const printedCode = (code: ErrorCode): string => PRINTED[code] ?? code;

const NAMED: ReadonlyMap<string, ErrorCode> = new Map(
  (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => [printedCode(code), code]),
);

/** The error code that a diagnostic's printed code stands for; undefined for a warning's, or one that nobody defined. */
export const errorCodeOf = (printed: string): ErrorCode | undefined =>
  NAMED.get(printed) ?? (Object.hasOwn(ERROR_CODES, printed) ? (printed as ErrorCode) : undefined);
