/**
 * @file Reading limits, and telling that one was passed. Every limit is inclusive: the limit passes, one more is E_LIMIT.
 */
import { describeValue, fault } from '../../../errors/index.js';

type Limits<K extends string> = Readonly<Record<K, number>>;

/** @throws EinstreamError E_ARGUMENT for a limit that is neither an integer ≥ 0 nor Infinity */
export function readLimits<K extends string>(defaults: Limits<K>, given: Partial<Limits<K>>, place: string): Limits<K> {
  if (typeof given !== 'object' || given === null)
    throw fault('E_ARGUMENT', { place, rule: 'limits are one object', actual: describeValue(given) });
  const read = (name: K): number => {
    const limit: unknown = given[name] ?? defaults[name];
    if (limit === Infinity || (Number.isInteger(limit) && (limit as number) >= 0)) return limit as number;
    throw fault('E_ARGUMENT', {
      place: `limits.${name}`,
      rule: 'a limit is an integer ≥ 0, or Infinity',
      actual: describeValue(limit),
      hint: `leave it out for ${defaults[name]}`,
    });
  };
  return Object.fromEntries((Object.keys(defaults) as K[]).map((name) => [name, read(name)])) as Limits<K>;
}

/** Made, not thrown. `what`: 'a state', 'a checkpoint'. */
export const beyond = (place: string, what: string, name: string, limit: number, actual: number) =>
  fault('E_LIMIT', {
    place,
    rule: `${name} of ${what} must stay below the limit`,
    expected: `at most ${limit}`,
    actual: String(actual),
    hint: `pass limits: { ${name}: … } to allow more`,
  });
