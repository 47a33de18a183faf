/**
 * @file Whether an op's result on a backend is as near to the definition's as the op promises.
 */
import type { AnyOp } from '../../src/ops/op.js';
import { formatShape, sameShape } from '../../src/tensor/shape.js';
import { isFloating } from '../../src/tensor/dtype.js';
import { packed, tensorOver, type Tensor } from '../../src/tensor/tensor.js';
import type { Outcome } from './sameBits.js';

/** What every op promises that names no tolerance of its own. */
export const DEFAULT_TOLERANCE = { relative: 1e-6, absolute: 1e-7 } as const;

/** The same tensor without signs: what sums of products are measured by, as their terms may cancel. */
export const magnitudesOf = (x: Tensor): Tensor => tensorOver((packed(x) as Float64Array).map(Math.abs), x.dtype, x.shape);

/** Undefined, or how `got` is not `want`. `scale` gives, for each element, the magnitude that the relative part is of. */
export function farFrom(got: Outcome, want: Outcome, op: AnyOp, scale = want): string | undefined {
  if (typeof got === 'string' || typeof want === 'string')
    return got === want ? undefined : `expected ${String(want)}, got ${String(got)}`;
  if (got.dtype !== want.dtype || !sameShape(got.shape, want.shape))
    return `expected ${want.dtype} ${formatShape(want.shape)}, got ${got.dtype} ${formatShape(got.shape)}`;
  const { relative, absolute } = isFloating(want.dtype) ? (op.tolerance ?? DEFAULT_TOLERANCE) : { relative: 0, absolute: 0 };
  const [a, b, sizes] = [got, want, scale as Tensor].map(({ data }) => data as Float64Array);
  for (let i = 0; i < b.length; i++) {
    const slack = relative * Math.abs(sizes[i]) + absolute;
    if (!Object.is(a[i], b[i]) && !(Math.abs(a[i] - b[i]) <= slack)) return `[${i}] expected ${b[i]}, got ${a[i]}`;
  }
  return undefined;
}
