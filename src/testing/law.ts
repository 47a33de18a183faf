/**
 * @file A law: a sentence, and a check of it that throws when it does not hold. It fits every test runner.
 */
import { describeValue } from '../errors/index.js';
import { Tensor } from '../tensor/tensor.js';

/** `it(title, check)` in any test runner. */
export interface Law {
  readonly title: string;
  /** @throws Error saying what was expected and what happened */
  readonly check: () => void;
}

/** A value as text, equal for equal values: tensors by type and elements, records by entry, −0 and NaN told apart. */
export function print(value: unknown): string {
  if (value instanceof Tensor) return `${value.dtype}[${value.shape.join()}](${print(value.toArray())})`;
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value !== 'object' || value === null || value instanceof Error) return describeValue(value);
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${name}: ${print(item)}`)
    .join(', ')} }`;
}

/** @throws Error when the two print differently */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [print(actual), print(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** @throws Error unless both are one object or one primitive */
export function identical(actual: unknown, expected: unknown, what: string): void {
  if (!Object.is(actual, expected)) throw new Error(`${what}: expected the very same ${print(expected)}, got ${print(actual)}`);
}
