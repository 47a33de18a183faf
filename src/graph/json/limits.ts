/**
 * @file What a JSON text may ask of us, at most. Every limit is inclusive: the limit passes, one more is E_LIMIT.
 */
import { fault } from '../../errors/index.js';

export interface JsonLimits {
  /** Bytes of the whole text as UTF-8. */
  readonly bytes: number;
  /** Objects and arrays open at one time. */
  readonly depth: number;
  /** Bytes between the quotes of one string or key, as written. */
  readonly stringBytes: number;
  /** Characters of one number. The exact decimal form of any float64 has at most 1,077. */
  readonly numberBytes: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Values, of any kind, of one tree built by `value()`; the streaming calls build none. */
  readonly values: number;
  /** Elements that one call of `numbers()` or `integers()` may read. */
  readonly elements: number;
}

export const JSON_LIMITS: JsonLimits = Object.freeze({
  bytes: 256 * 2 ** 20,
  depth: 64,
  stringBytes: 64 * 2 ** 20,
  numberBytes: 1100,
  keys: 2 ** 22,
  values: 1_000_000,
  elements: 2 ** 25,
});

/**
 * The defaults with the given limits in their place. Other properties are another reader's and are left alone.
 *
 * @throws EinstreamError E_ARGUMENT for a limit that is neither an integer ≥ 0 nor Infinity
 */
export function jsonLimits(given: Partial<JsonLimits> = {}): JsonLimits {
  const limits: { -readonly [K in keyof JsonLimits]: number } = { ...JSON_LIMITS };
  for (const name of Object.keys(JSON_LIMITS) as (keyof JsonLimits)[]) {
    const limit: unknown = given[name];
    if (limit === undefined) continue;
    if (typeof limit !== 'number' || !(limit >= 0) || (limit !== Infinity && !Number.isInteger(limit))) {
      throw fault('E_ARGUMENT', {
        place: `limits.${name}`,
        rule: 'a limit is an integer ≥ 0, or Infinity',
        actual: String(limit),
        hint: `leave it out for ${JSON_LIMITS[name]}`,
      });
    }
    limits[name] = limit;
  }
  return limits;
}
