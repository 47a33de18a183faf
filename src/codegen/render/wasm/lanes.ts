/**
 * @file The three kinds of vectors that kernels compute with, and how elements of any dtype become their lanes.
 *
 * `f32` four float32, `i32` four int32 (modulo 2³²), `f64` two float64: what the reference computes with. Truth values
 * are 1 and 0; a mask has all bits of a lane set where it is true.
 */
import type { ComputedDType } from '../../../tensor/dtype.js';
import type { Code } from './bytes.js';
import { f32, f32x4, f64, f64x2, i32x4, narrow8, shuffle, v128, widen8 } from './instructions.js';
import type { Scope } from './module.js';

export type LaneKind = 'f32' | 'i32' | 'f64';

export const LANES: Readonly<Record<LaneKind, number>> = { f32: 4, i32: 4, f64: 2 };

/** log₂ of an element's bytes. */
export const LOG_BYTES: Readonly<Record<ComputedDType, number>> = { bool: 0, int32: 2, float32: 2, float64: 3 };

/** Comparisons that give masks; float and integer vectors have the same names. */
export const comparisonsOf = (kind: LaneKind) =>
  kind === 'i32'
    ? { eq: i32x4.eq, ne: i32x4.ne, lt: i32x4.lt_s, gt: i32x4.gt_s, le: i32x4.le_s, ge: i32x4.ge_s }
    : kind === 'f32'
      ? f32x4
      : f64x2;

/** The same number in all lanes, kept in a global. */
export const constantOf = (kind: LaneKind, value: number, scope: Scope): Code => scope.splat(kind, value);

/** A vector from an int32 of the descriptor. */
export function splatInt(kind: LaneKind, value: Code): Code {
  if (kind === 'i32') return i32x4.splat(value);
  return kind === 'f32' ? f32x4.splat(f32.convert_i32_s(value)) : f64x2.splat(f64.convert_i32_s(value));
}

/** What lies in memory (the low lanes of `raw`, as many as the kind has) as a vector of the kind. */
export function fromRaw(kind: LaneKind, dtype: ComputedDType, raw: Code): Code {
  const wide = dtype === 'bool' ? widen8(raw) : raw;
  if (kind === 'i32') return wide;
  if (kind === 'f32') return dtype === 'float32' ? raw : f32x4.convert_i32x4_s(wide);
  switch (dtype) {
    case 'float64':
      return raw;
    case 'float32':
      return f64x2.promote_low_f32x4(raw);
    default:
      return f64x2.convert_low_i32x4_s(wide);
  }
}

/** Adjacent elements as `fromRaw` takes them; may read up to 15 bytes beyond them. */
export function loadRaw(kind: LaneKind, dtype: ComputedDType, address: Code, offset: number): Code {
  const bytes = LANES[kind] << LOG_BYTES[dtype];
  const load = bytes === 16 ? v128.load : bytes === 8 ? v128.load64_zero : bytes === 4 ? v128.load32_zero : v128.load16_splat;
  return load(address, { offset });
}

/** One element in all lanes, as `fromRaw` takes it. */
export const loadSplat = (dtype: ComputedDType, address: Code): Code =>
  [v128.load8_splat, v128.load32_splat, v128.load32_splat, v128.load64_splat][LOG_BYTES[dtype]](address);

/** A value as numbers, and as a mask where it is a truth value. */
export interface Lanes {
  readonly value: () => Code;
  readonly mask: Code | undefined;
}

/** What was computed as storing to `dtype` leaves it: its elements in the low bytes. */
export function toRaw(kind: LaneKind, dtype: ComputedDType, lanes: Lanes, scope: Scope): Code {
  if (dtype === 'bool')
    return rawTruth(kind, lanes.mask ?? comparisonsOf(kind).ne(lanes.value(), constantOf(kind, 0, scope)), scope);
  const value = lanes.value();
  if (kind === 'i32' || (kind === 'f32' && dtype === 'float32') || dtype === 'float64') return value;
  return dtype === 'float32' ? f32x4.demote_f64x2_zero(value) : toInt32(value, scope);
}

/** Bits of truth as bytes 0 and 1. */
function rawTruth(kind: LaneKind, mask: Code, scope: Scope): Code {
  const lanes = kind === 'f64' ? shuffle(mask, i32x4.const(0), LOW_HALVES) : mask;
  return narrow8(v128.and(lanes, constantOf('i32', 1, scope)));
}

/** The low 32 bits of both float64 lanes, then zeros. */
const LOW_HALVES = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 16, 17, 18, 19];
/** The first lane of four in all. */
export const FIRST_OF_FOUR = Array.from({ length: 16 }, (_, k) => k % 4);

/** Truncated and modulo 2³², as JavaScript's `x | 0`: NaN and ±∞ give 0. The low two lanes. */
export function toInt32(x: Code, scope: Scope): Code {
  const whole = scope.local('v128');
  const turns = f64x2.floor(f64x2.mul(whole.get, constantOf('f64', 2 ** -32, scope)));
  // Exact: a multiple of 2³² that is near enough, taken off a number that it shares its bits with.
  return [
    whole.set(f64x2.trunc(x)),
    i32x4.trunc_sat_f64x2_u_zero(f64x2.sub(whole.get, f64x2.mul(turns, constantOf('f64', 2 ** 32, scope)))),
  ];
}
