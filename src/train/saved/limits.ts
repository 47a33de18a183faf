/**
 * @file What a saved state may ask of us, at most.
 */
import { describeValue, fault } from '../../errors/index.js';

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
export function stateLimits(given: Partial<StateLimits>): StateLimits {
  if (typeof given !== 'object' || given === null)
    throw fault('E_ARGUMENT', { place: 'parseState', rule: 'limits are one object', actual: describeValue(given) });
  const read = (name: keyof StateLimits): number => {
    const limit: unknown = given[name] ?? STATE_LIMITS[name];
    if (limit === Infinity || (Number.isInteger(limit) && (limit as number) >= 0)) return limit as number;
    throw fault('E_ARGUMENT', {
      place: `limits.${name}`,
      rule: 'a limit is an integer ≥ 0, or Infinity',
      actual: describeValue(limit),
      hint: `leave it out for ${STATE_LIMITS[name]}`,
    });
  };
  return { bytes: read('bytes'), tensors: read('tensors') };
}

export const beyond = (name: keyof StateLimits, limit: number, actual: number) =>
  fault('E_LIMIT', {
    place: 'parseState',
    rule: `${name} of a state must stay below the limit`,
    expected: `at most ${limit}`,
    actual: String(actual),
    hint: `pass limits: { ${name}: … } to allow more`,
  });
