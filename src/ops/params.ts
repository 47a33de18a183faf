/**
 * @file Parameters of ops: each is read once by a rule that gives a plain, checked value.
 *
 * Rules run on objects from users and on JSON from files alike, so getters, proxies and wrong types end here.
 */
import { fault } from '../errors/index.js';
import type { Place } from './op.js';

/** Reads one parameter; `undefined` means absent. Gives a plain JSON value or throws through `refuse`. */
export type ParamRule<T> = (value: unknown, refuse: (expected: string) => never) => T;

export type ParamRules<P> = { readonly [K in keyof P]-?: ParamRule<P[K]> };

const show = (value: unknown): string =>
  typeof value === 'number' ? String(value) : Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value;

const NONE = Object.freeze(Object.create(null) as Record<string, unknown>);

/** Reads an op's parameters from an unknown object. Unknown keys are refused, so that a misspelt one is seen. */
export function readParams(
  op: { readonly name: string; readonly params: ParamRules<Record<string, unknown>> },
  given: unknown,
  place: Place,
): Readonly<Record<string, unknown>> {
  const source = (given ?? {}) as Record<string, unknown>;
  const keys = Object.keys(op.params);
  const result = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(source)) {
    if (!Object.hasOwn(op.params, key)) {
      throw fault('E_ARGUMENT', {
        ...place,
        rule: `parameter ${JSON.stringify(key.slice(0, 40))} is unknown`,
        expected: keys.join(', ') || 'no parameters',
      });
    }
  }
  // Nodes that share their parameters are compiled once.
  if (keys.length === 0) return NONE;
  for (const key of keys) {
    const value = source[key];
    const parsed = op.params[key](value, (expected) => {
      throw fault('E_ARGUMENT', { ...place, rule: `parameter ${key} must be ${expected}`, actual: show(value) });
    });
    if (parsed !== undefined) result[key] = parsed;
  }
  return Object.freeze(result);
}

const isInteger = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

const MAX_ITEMS = 4096;

/** A list copied once, each item checked. */
function list<T>(value: unknown, item: (value: unknown) => value is T): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return undefined;
  const copy = Array.from(value as readonly unknown[]);
  return copy.every(item) ? copy : undefined;
}

/** An integer, with a default. */
export const integer =
  (fallback?: number): ParamRule<number> =>
  (value, refuse) =>
    value === undefined && fallback !== undefined ? fallback : isInteger(value) ? value : refuse('an integer');

/** A number (non-finite allowed), with a default. */
export const real =
  (fallback?: number): ParamRule<number> =>
  (value, refuse) =>
    value === undefined && fallback !== undefined ? fallback : typeof value === 'number' ? value : refuse('a number');

/** A number, or absent. */
export const optionalReal: ParamRule<number | undefined> = (value, refuse) =>
  value === undefined || value === null ? undefined : typeof value === 'number' ? value : refuse('a number');

export const flag =
  (fallback: boolean): ParamRule<boolean> =>
  (value, refuse) =>
    value === undefined ? fallback : typeof value === 'boolean' ? value : refuse('true or false');

export const text: ParamRule<string> = (value, refuse) => (typeof value === 'string' ? value : refuse('a string'));

/** One axis, several, or null for all. */
export const axes =
  (fallback: readonly number[] | null): ParamRule<readonly number[] | null> =>
  (value, refuse) =>
    value === undefined
      ? fallback
      : value === null
        ? null
        : isInteger(value)
          ? [value]
          : (list(value, isInteger) ?? refuse('an axis, a list of axes, or null'));

export const integers = (value: unknown, refuse: (expected: string) => never): readonly number[] =>
  list(value, isInteger) ?? refuse('a list of integers');

/** Integers, null where one is left open. */
export const openIntegers: ParamRule<readonly (number | null)[]> = (value, refuse) =>
  list(value, (item): item is number | null => item === null || isInteger(item)) ?? refuse('a list of integers or null');

export const optionalIntegers: ParamRule<readonly number[] | undefined> = (value, refuse) =>
  value === undefined || value === null ? undefined : integers(value, refuse);

export const oneOf =
  <T extends string>(choices: readonly T[], fallback?: T): ParamRule<T> =>
  (value, refuse) =>
    value === undefined && fallback !== undefined
      ? fallback
      : choices.includes(value as T)
        ? (value as T)
        : refuse(choices.map((c) => `'${c}'`).join(' or '));
