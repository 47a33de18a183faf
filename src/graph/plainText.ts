/**
 * @file Plain values as one text each: two texts are equal exactly when the values are.
 *
 * Keys are sorted; −0, NaN and the infinities have texts of their own, which JSON does not give them.
 */
import { fault } from '../errors/index.js';

const MAX_DEPTH = 64;
const known = new WeakMap<object, string>();

/** The text of a frozen value that many nodes share: made once. */
export function textOfParams(params: object): string {
  let text = known.get(params);
  if (text === undefined) known.set(params, (text = plainText(params)));
  return text;
}

/** @throws EinstreamError E_LIMIT for a value nested deeper than 64 */
export function plainText(value: unknown, depth = 0): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === MAX_DEPTH)
    throw fault('E_LIMIT', { place: 'params', rule: 'parameters have a bounded depth', expected: `at most ${MAX_DEPTH}` });
  if (Array.isArray(value)) return `[${value.map((item) => plainText(item, depth + 1)).join(',')}]`;
  const record = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(record).filter((key) => record[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${plainText(record[key], depth + 1)}`)
    .join(',')}}`;
}
