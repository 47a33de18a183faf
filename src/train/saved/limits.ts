/**
 * @file What a saved state may ask of us, at most.
 */
import { readLimits } from '../../stream/checkpoint/format/limits.js';

/** Every limit is inclusive: the limit passes, one more is E_LIMIT. */
export interface StateLimits {
  /** Bytes of the whole. Tensors take no more memory than that. */
  readonly bytes: number;
  /** Params, and tensors that the optimizer remembers. */
  readonly tensors: number;
}

/**
 * 4 GiB, 100,000 tensors.
 *
 * ```ts
 * STATE_LIMITS.tensors // => 100000
 * ```
 */
export const STATE_LIMITS: StateLimits = Object.freeze({ bytes: 2 ** 32, tensors: 100_000 });

/** @throws EinstreamError E_ARGUMENT for a limit that is neither an integer ≥ 0 nor Infinity */
export const stateLimits = (given: Partial<StateLimits>): StateLimits =>
  readLimits<keyof StateLimits>({ ...STATE_LIMITS }, given, 'parseState');
