/**
 * @file Two results compared without tolerance: dtype, shape and every element, −0 apart from 0, NaN equal to NaN.
 */
import { formatShape, sameShape } from '../../src/tensor/shape.js';
import type { Tensor } from '../../src/tensor/tensor.js';

const show = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Undefined, or where they differ. */
export function differentBits(got: Tensor, want: Tensor): string | undefined {
  if (got.dtype !== want.dtype) return `dtype: expected ${want.dtype}, got ${got.dtype}`;
  if (!sameShape(got.shape, want.shape)) return `shape: expected ${formatShape(want.shape)}, got ${formatShape(got.shape)}`;
  const [a, b] = [got.data, want.data];
  for (let i = 0; i < b.length; i++) {
    const [x, y] = [Number(a[i]), Number(b[i])];
    if (!Object.is(x, y)) return `[${i}] expected ${show(y)}, got ${show(x)}`;
  }
  return undefined;
}

/** What computing gives: a tensor, or the code of a typed error. Any other error passes through. */
export type Outcome = Tensor | string;

/** Undefined, or how two outcomes differ. */
export function differentOutcomes(got: Outcome, want: Outcome): string | undefined {
  if (typeof got === 'string' || typeof want === 'string') {
    return got === want ? undefined : `expected ${describe(want)}, got ${describe(got)}`;
  }
  return differentBits(got, want);
}

const describe = (outcome: Outcome): string => (typeof outcome === 'string' ? outcome : outcome.toString());
