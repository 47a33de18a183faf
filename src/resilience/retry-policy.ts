/**
 * @file How often something is tried again, and after which waits.
 */
import { fault } from '../errors/index.js';

/** When to try again. */
export interface RetryPolicy {
  /** Attempts after the first. */
  readonly count: number;
  /** Milliseconds before retry number `retry`, from 1. */
  readonly delay: (retry: number) => number;
}

/** How waits grow. */
export interface BackoffOptions {
  /** By what each wait is longer than the one before; 2 by default. */
  readonly factor?: number;
  /** Longest wait in milliseconds, 60,000 by default. */
  readonly capMs?: number;
  /** `'full'`: each wait is drawn evenly from 0 to what it would be, so that many who failed together do not return together. */
  readonly jitter?: 'none' | 'full';
  /** Numbers from 0 to 1 for jitter; `Math.random` by default, a seeded one for replays. */
  readonly random?: () => number;
}

const atLeast = (place: string, value: number, least: number, isInteger = false): number => {
  if (typeof value === 'number' && value >= least && (!isInteger || Number.isInteger(value))) return value;
  throw fault('E_ARGUMENT', {
    place,
    rule: `it is ${isInteger ? 'an integer' : 'a number'} of at least ${least}`,
    actual: String(value),
  });
};

/**
 * Waits that grow: `firstMs`, then `factor` times as long each time, up to a cap.
 *
 * ```ts
 * [1, 2, 3].map(exponentialBackoff(100)) // => [100, 200, 400]
 * ```
 *
 * @param firstMs milliseconds, ≥ 0
 * @throws EinstreamError E_ARGUMENT for numbers out of range
 */
export function exponentialBackoff(
  firstMs: number,
  { factor = 2, capMs = 60_000, jitter = 'none', random = Math.random }: BackoffOptions = {},
): (retry: number) => number {
  atLeast('firstMs', firstMs, 0);
  atLeast('factor', factor, 1);
  atLeast('capMs', capMs, 0);
  if (jitter !== 'none' && jitter !== 'full')
    throw fault('E_ARGUMENT', { place: 'jitter', rule: "it is 'none' or 'full'", actual: String(jitter) });
  return (retry) => Math.min(capMs, firstMs * factor ** (retry - 1)) * (jitter === 'full' ? random() : 1);
}

/**
 * Policies by the names of the seed.
 *
 * ```ts
 * RetryPolicy.exponential(3, 100).delay(3) // => 400
 * RetryPolicy.new().delay(1) // => 100
 * ```
 */
export const RetryPolicy = {
  /**
   * `count` more attempts after waits of `firstMs`, twice that, …, at most a minute each.
   *
   * ```ts
   * const { count, delay } = RetryPolicy.exponential(3, 100);
   * [count, delay(1), delay(2), delay(3)] // => [3, 100, 200, 400]
   * ```
   */
  exponential: (count: number, firstMs: number, options: BackoffOptions = {}): RetryPolicy => ({
    count: atLeast('count', count, 0, true),
    delay: exponentialBackoff(firstMs, options),
  }),

  /**
   * `count` more attempts, 3 by default, after waits of 100 ms, 200 ms, …, at most ten seconds each.
   *
   * ```ts
   * RetryPolicy.new().count // => 3
   * ```
   */
  new: (count = 3, options: BackoffOptions = {}): RetryPolicy =>
    RetryPolicy.exponential(count, 100, { capMs: 10_000, ...options }),
};

/** @throws EinstreamError E_ARGUMENT for what is no policy */
export function checkPolicy(policy: RetryPolicy, place = 'retryPolicy'): RetryPolicy {
  if (typeof policy !== 'object' || policy === null || typeof policy.delay !== 'function')
    throw fault('E_ARGUMENT', {
      place,
      rule: 'it has a `count` and a function `delay`',
      hint: 'RetryPolicy.exponential(3, 100)',
    });
  atLeast(`${place}.count`, policy.count, 0, true);
  return policy;
}
