/**
 * @file What storing does to a value: the one place where results are rounded to their dtype.
 */
import type { ComputedDType, TypedArray } from '../../tensor/dtype.js';

/** float32 rounds to nearest even, int32 truncates and wraps modulo 2³² (NaN and ±∞ give 0), bool is "not zero", NaN included. */
export function roundTo(dtype: ComputedDType, value: number): number {
  switch (dtype) {
    case 'float64':
      return value;
    case 'float32':
      return Math.fround(value);
    case 'int32':
      return value | 0;
    case 'bool':
      return value === 0 ? 0 : 1;
  }
}

export function store(array: TypedArray, dtype: ComputedDType, at: number, value: number): void {
  array[at] = roundTo(dtype, value);
}
