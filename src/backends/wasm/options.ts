/**
 * @file Options of the `wasm` backend, checked.
 */
import { describeValue, fault } from '../../errors/index.js';

/** How the `wasm` backend is made. */
export interface WasmOptions {
  /** Bytes of the backend's memory, from 64 KiB to 4 GiB less a page; 1 GiB by default. Untouched pages cost nothing. */
  readonly memoryLimit?: number;
  /** Modules kept for reuse, 1000 by default; the least recently used goes first. */
  readonly cacheSize?: number;
  /** The same bits on every engine: relaxed SIMD, whose multiply-add may round once or twice, stays unused. */
  readonly deterministic?: boolean;
  /** Threads that compute, this one among them, from 1 to 64; 1 by default. Results do not depend on their number. */
  readonly threads?: number;
}

const DEFAULT_LIMIT = 2 ** 30;
const SMALLEST = 2 ** 16;
/** An address is 32 bits, and the last page is left out so that no end is beyond them. */
const LARGEST = 2 ** 32 - 2 ** 16;

const MOST_THREADS = 64;

const KNOWN: readonly string[] = ['memoryLimit', 'cacheSize', 'deterministic', 'threads'];
const wrong = (rule: string, actual: unknown) => fault('E_ARGUMENT', { place: 'wasm', rule, actual: describeValue(actual) });

/** @throws EinstreamError E_ARGUMENT for an option that is unknown, or outside its range */
export function readOptions(options: WasmOptions): Required<WasmOptions> {
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`an option must be known: ${KNOWN.join(', ')}`, unknown);
  const { memoryLimit = DEFAULT_LIMIT, cacheSize = 1000, deterministic = false, threads = 1 } = options;
  if (!Number.isSafeInteger(memoryLimit) || memoryLimit < SMALLEST || memoryLimit > LARGEST)
    throw wrong(`memoryLimit is a number of bytes from ${SMALLEST} to ${LARGEST}`, memoryLimit);
  if (!Number.isSafeInteger(cacheSize) || cacheSize < 0) throw wrong('cacheSize must be an integer ≥ 0', cacheSize);
  if (typeof deterministic !== 'boolean') throw wrong('deterministic is true or false', deterministic);
  if (!Number.isSafeInteger(threads) || threads < 1 || threads > MOST_THREADS)
    throw wrong(`threads is an integer from 1 to ${MOST_THREADS}`, threads);
  return { memoryLimit, cacheSize, deterministic, threads };
}
