/**
 * @file The numbers at which rewrites go wrong, by dtype: NaN, both zeros, infinities, denormals, overflow, the ends of int32.
 */
import type { ComputedDType } from '../../src/tensor/dtype.js';
import type { ElementRule } from './random-graph.js';

const REALS = [
  NaN,
  0,
  -0,
  Infinity,
  -Infinity,
  1,
  -1,
  0.5,
  -2,
  3,
  0.1,
  1e-40,
  -1e-45,
  1.1754944e-38,
  16777217,
  3.4028234e38,
  -2.5e38,
];

export const HOSTILE: Readonly<Record<ComputedDType, readonly number[]>> = {
  float32: REALS.map(Math.fround),
  float64: [...REALS, 5e-324, -1e308, 1.7976931348623157e308, 2 ** 53 + 2],
  int32: [0, 1, -1, 2, -7, 65_536, 1_000_003, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) + 1],
  bool: [0, 1],
};

/** Each element one of them. */
export const hostile: ElementRule = (drawn, dtype) => HOSTILE[dtype][drawn % HOSTILE[dtype].length];
