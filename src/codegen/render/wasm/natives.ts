/**
 * @file Scalar functions that are a few instructions in every kind of lanes, without approximation.
 */
import type { BinaryFunction, UnaryFunction } from '../../../ops/scalar.js';
import type { Code } from './bytes.js';
import { f32x4, f64x2, i32x4, v128 } from './instructions.js';
import { constantOf, type LaneKind } from './lanes.js';
import type { Local, Scope } from './module.js';

export type NativeUnary = Partial<Record<UnaryFunction, (scope: Scope, x: Local) => Code>>;
export type NativeBinary = Partial<Record<BinaryFunction, (scope: Scope, x: Local, y: Local) => Code>>;

const floatUnary = (kind: 'f32' | 'f64'): NativeUnary => {
  const v = kind === 'f32' ? f32x4 : f64x2;
  return {
    // V8 fetches the masks of its own neg and abs from memory, each time.
    neg: (scope, x) => v128.xor(x.get, constantOf(kind, -0, scope)),
    abs: (scope, x) => v128.andnot(x.get, constantOf(kind, -0, scope)),
    floor: (_, x) => v.floor(x.get),
    ceil: (_, x) => v.ceil(x.get),
    trunc: (_, x) => v.trunc(x.get),
    round: (_, x) => v.nearest(x.get),
    sqrt: (_, x) => v.sqrt(x.get),
    // ±0 and NaN are their own sign.
    sign: (scope, x) =>
      v128.bitselect(
        v128.or(v128.and(x.get, constantOf(kind, -0, scope)), constantOf(kind, 1, scope)),
        x.get,
        v.gt(v.abs(x.get), constantOf(kind, 0, scope)),
      ),
  };
};

const floatBinary = (v: typeof f32x4 | typeof f64x2): NativeBinary => ({
  add: (_, x, y) => v.add(x.get, y.get),
  sub: (_, x, y) => v.sub(x.get, y.get),
  mul: (_, x, y) => v.mul(x.get, y.get),
  div: (_, x, y) => v.div(x.get, y.get),
  min: (_, x, y) => v.min(x.get, y.get),
  max: (_, x, y) => v.max(x.get, y.get),
});

/** Whole already: rounding changes nothing. */
const same = (_: Scope, x: Local): Code => x.get;

export const NATIVE_UNARY: Readonly<Record<LaneKind, NativeUnary>> = {
  f32: floatUnary('f32'),
  f64: floatUnary('f64'),
  i32: {
    neg: (_, x) => i32x4.neg(x.get),
    abs: (_, x) => i32x4.abs(x.get),
    floor: same,
    ceil: same,
    trunc: same,
    round: same,
    sign: (_, x) => v128.or(i32x4.shr_s(x.get, [0x41, 31]), i32x4.shr_u(i32x4.neg(x.get), [0x41, 31])),
  },
};

export const NATIVE_BINARY: Readonly<Record<LaneKind, NativeBinary>> = {
  f32: floatBinary(f32x4),
  f64: floatBinary(f64x2),
  i32: {
    add: (_, x, y) => i32x4.add(x.get, y.get),
    sub: (_, x, y) => i32x4.sub(x.get, y.get),
    mul: (_, x, y) => i32x4.mul(x.get, y.get),
    min: (_, x, y) => i32x4.min_s(x.get, y.get),
    max: (_, x, y) => i32x4.max_s(x.get, y.get),
  },
};
