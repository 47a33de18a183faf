/**
 * @file Plain values in JSON, exactly: JSON lacks NaN and the infinities, which are written `{ "$": "NaN" }`.
 *
 * An object that has the key `$` itself is written inside another, `{ "$": { … } }`, so nothing is ambiguous.
 */
import { fault } from '../../../errors/index.js';
import type { JsonValue } from '../../json/index.js';

const MAX_DEPTH = 48;
const SPECIAL: ReadonlyMap<unknown, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/**
 * @param special is asked first for each value; a number stands for it in the text, undefined leaves it to us
 * @throws EinstreamError E_LIMIT for a value nested deeper than 48, E_ARGUMENT for what is no plain value
 */
export function encodePlain(value: unknown, place: string, depth = 0, special?: (value: unknown) => number | undefined): string {
  const stand = special?.(value);
  if (stand !== undefined) return `{"$":${stand}}`;
  if (depth > MAX_DEPTH)
    throw fault('E_LIMIT', { place, rule: 'a plain value has a bounded depth', expected: `at most ${MAX_DEPTH}` });
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? String(value) : `{"$":"${value}"}`;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (typeof value !== 'object')
    throw fault('E_ARGUMENT', { place, rule: 'what is written here must be a plain value', actual: typeof value });
  if (Array.isArray(value)) return `[${value.map((item) => encodePlain(item, place, depth + 1, special)).join(',')}]`;
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  const text = `{${members.map(([key, item]) => `${JSON.stringify(key)}:${encodePlain(item, place, depth + 1, special)}`).join(',')}}`;
  return Object.hasOwn(value, '$') ? `{"$":${text}}` : text;
}

/** The value that `encodePlain` wrote. Objects have no prototype. `special` gives back what a number stands for. */
export function decodePlain(value: JsonValue, special?: (stand: number) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => decodePlain(item, special));
  const record = value as { readonly [key: string]: JsonValue };
  if (!Object.hasOwn(record, '$')) return decodeMembers(record, special);
  const inner = record['$']!;
  if (special !== undefined && typeof inner === 'number') return special(inner);
  return (
    SPECIAL.get(inner) ??
    (typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? decodeMembers(inner as typeof record, special)
      : inner)
  );
}

function decodeMembers(
  record: { readonly [key: string]: JsonValue },
  special: ((stand: number) => unknown) | undefined,
): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(record)) result[key] = decodePlain(record[key], special);
  return result;
}
