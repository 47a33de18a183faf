/** @file Compares what an example gave with what it says it gives. */

/** A number known to the digits that were printed. */
export class Near {
  readonly value: number;
  readonly tolerance: number;
  constructor(value: number, tolerance: number) {
    this.value = value;
    this.tolerance = tolerance;
  }
}

/** `0.8808` → 0.8808 ± 0.00005; whole numbers stay exact. */
export function near(text: string): number | Near {
  const [, digits = '', exponent = '0'] = /^\d*\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const places = digits.length - Number(exponent);
  const isExact = !/[.e]/i.test(text) || !/^[\d.e+-]+$/i.test(text);
  return isExact ? Number(text) : new Near(Number(text), 0.5001 * 10 ** -places);
}

type Listing = { readonly toArray: () => unknown };
const isListing = (value: unknown): value is Listing => typeof (value as Listing | null)?.toArray === 'function';

/** Tensors and typed arrays as (nested) lists. */
function plain(value: unknown): unknown {
  if (isListing(value)) return value.toArray();
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  if (value instanceof Set) return [...(value as Set<unknown>)];
  return value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value;
}

/** Whether `actual` is `expected`: numbers to the digits printed, tensors as nested lists, maps as objects. */
export function matches(actual: unknown, expected: unknown): boolean {
  const value = plain(actual);
  if (expected instanceof Near) return typeof value === 'number' && Math.abs(value - expected.value) <= expected.tolerance;
  if (Array.isArray(expected))
    return Array.isArray(value) && value.length === expected.length && expected.every((item, i) => matches(value[i], item));
  if (typeof expected === 'object' && expected !== null) {
    if (typeof value !== 'object' || value === null) return false;
    const [keys, wanted] = [Object.keys(value), Object.keys(expected)];
    const at = (record: object, key: string) => (record as Record<string, unknown>)[key];
    return (
      keys.length === wanted.length && wanted.every((key) => keys.includes(key) && matches(at(value, key), at(expected, key)))
    );
  }
  return value === expected || (Number.isNaN(value) && Number.isNaN(expected));
}

/** A value in a message: tensors as lists, near numbers by their value. */
export const show = (value: unknown): string => {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    item instanceof Near ? item.value : typeof item === 'number' && !Number.isFinite(item) ? String(item) : plain(item),
  );
  return text ?? String(value);
};
