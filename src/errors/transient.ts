/**
 * @file Which failures another attempt may not meet again.
 */
import type { ErrorCode } from './codes.js';
import { EinstreamError } from './error.js';

const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'E_TIMEOUT',
  'E_KERNEL',
  'E_OOM',
  'E_CONSUMER',
  'E_BACKEND',
  'E_BACKEND_LOST',
  'E_WORKER_LOST',
  'E_QUEUE_FULL',
]);

/**
 * Whether trying again may help. Errors of a feed or a graph (shapes, dtypes, ops, parsing …) would come again; what is no
 * `EinstreamError` may be anything, and is worth an attempt.
 *
 * ```ts
 * isTransient(new EinstreamError(shapeMismatch([64, 128], [64, 256], 'matmul'))) // => false
 * ```
 */
export const isTransient = (error: unknown): boolean => !(error instanceof EinstreamError) || TRANSIENT.has(error.code);
