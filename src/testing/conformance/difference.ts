/**
 * @file Whether a tensor is another one, within a tolerance.
 */
import { formatShape, sameShape } from '../../tensor/shape.js';
import { isFloating } from '../../tensor/dtype.js';
import type { Tensor } from '../../tensor/tensor.js';

export interface Difference {
  readonly expected: string;
  readonly actual: string;
}

/** Type, shape and every element; NaN is NaN, an infinity itself alone; integers and truths are exact. */
export function differenceOf(got: Tensor, want: Tensor, tolerance: number): Difference | undefined {
  if (got.dtype !== want.dtype || !sameShape(got.shape, want.shape)) {
    return { expected: `${want.dtype} ${formatShape(want.shape)}`, actual: `${got.dtype} ${formatShape(got.shape)}` };
  }
  const allowed = isFloating(want.dtype) ? tolerance : 0;
  const [a, b] = [got.data, want.data];
  if (a.length !== b.length) return { expected: `${b.length} elements`, actual: `${a.length}` };
  for (let i = 0; i < b.length; i++) {
    if (!agrees(Number(a[i]), Number(b[i]), allowed)) return { expected: `[${i}] = ${b[i]}`, actual: String(a[i]) };
  }
  return undefined;
}

function agrees(got: number, want: number, allowed: number): boolean {
  if (Number.isNaN(want)) return Number.isNaN(got);
  if (got === want) return true;
  return Number.isFinite(want) && Math.abs(got - want) <= allowed * Math.max(1, Math.abs(want));
}
