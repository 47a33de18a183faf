/**
 * @file The parameter `sizes` of einsum: letters to sizes, copied once and checked.
 */
import type { ParamRule } from '../params.js';
import type { LetterSizes } from './resolve.js';

const MAX_LETTERS = 52;

/** A record of single letters to integers ≥ 0, or absent. */
export const letterSizes: ParamRule<LetterSizes | undefined> = (value, refuse) => {
  const expected = 'an object of letters and sizes, such as { b: 3 }';
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return refuse(expected);
  const entries = Object.entries(value as Record<string, unknown>);
  const sizes = Object.create(null) as Record<string, number>;
  if (entries.length > MAX_LETTERS) return refuse(expected);
  for (const [letter, size] of entries) {
    if (!/^[A-Za-z]$/.test(letter) || !Number.isSafeInteger(size) || (size as number) < 0) return refuse(expected);
    sizes[letter] = size as number;
  }
  return Object.freeze(sizes);
};
