/**
 * @file How long a request waits before it is tried again.
 */
import { number } from './checks.js';
import { checkKnown } from '../options.js';

/** What becomes of a request whose worker is lost, or answers nonsense. What fails by itself is never tried again. */
export interface PoolRetry {
  /** Attempts in all, 3 by default; 1 tries nothing again. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, 10 by default. */
  readonly delayMs?: number;
  /** By what each wait is longer than the one before; 2 by default. */
  readonly factor?: number;
  /** Longest wait, 1000 by default. */
  readonly maxDelayMs?: number;
  /** The part of a wait that is left to chance, from 0 to 1; 0.5 by default: a wait of 100 ms is one of 50 to 100. */
  readonly jitter?: number;
}

export type Backoff = Required<PoolRetry>;

/** @throws EinstreamError E_ARGUMENT */
export function readRetry(retry: PoolRetry = {}): Backoff {
  checkKnown('retry', retry, ['attempts', 'delayMs', 'factor', 'maxDelayMs', 'jitter']);
  const { attempts = 3, delayMs = 10, factor = 2, maxDelayMs = 1000, jitter = 0.5 } = retry;
  return {
    attempts: number('retry.attempts', attempts, 1, 'integer'),
    delayMs: number('retry.delayMs', delayMs, 0),
    factor: number('retry.factor', factor, 1),
    maxDelayMs: number('retry.maxDelayMs', maxDelayMs, 0),
    jitter: Math.min(1, number('retry.jitter', jitter, 0)),
  };
}

/**
 * Milliseconds after attempt `attempt`, from 1: delay × factor^(attempt − 1), at most the cap, less the jitter's share.
 *
 * @param chance from 0 to 1
 */
export const waitAfter = ({ delayMs, factor, maxDelayMs, jitter }: Backoff, attempt: number, chance: number): number =>
  Math.min(maxDelayMs, delayMs * factor ** (attempt - 1)) * (1 - jitter * chance);
