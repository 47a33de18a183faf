/**
 * @file Instructions on single numbers: `f32.add(x, y)` pushes both, then adds.
 *
 * Opcodes: WebAssembly Core Specification 2.0, chapter 5.4.
 */
import { f32Bytes, f64Bytes, s32, type Code } from './bytes.js';
import { load, one, store, two } from './operations.js';

export const i32 = {
  const: (value: number): Code => [0x41, s32(value)],
  load: load(0x28),
  load8_u: load(0x2d),
  load16_u: load(0x2f),
  store: store(0x36),
  store8: store(0x3a),
  eqz: one(0x45),
  eq: two(0x46),
  ne: two(0x47),
  lt_s: two(0x48),
  lt_u: two(0x49),
  gt_s: two(0x4a),
  gt_u: two(0x4b),
  le_s: two(0x4c),
  le_u: two(0x4d),
  ge_s: two(0x4e),
  ge_u: two(0x4f),
  add: two(0x6a),
  sub: two(0x6b),
  mul: two(0x6c),
  div_u: two(0x6e),
  and: two(0x71),
  or: two(0x72),
  xor: two(0x73),
  shl: two(0x74),
  shr_s: two(0x75),
  shr_u: two(0x76),
  /** Saturating, NaN gives 0. */
  trunc_sat_f32_s: one(0xfc, 0x00),
  trunc_sat_f64_s: one(0xfc, 0x02),
} as const;

const scalarFloat = (
  bytes: (value: number) => readonly number[],
  constant: number,
  loadCode: number,
  storeCode: number,
  first: number,
  compare: number,
) => ({
  const: (value: number): Code => [constant, bytes(value)],
  load: load(loadCode),
  store: store(storeCode),
  eq: two(compare),
  ne: two(compare + 1),
  lt: two(compare + 2),
  gt: two(compare + 3),
  le: two(compare + 4),
  ge: two(compare + 5),
  abs: one(first),
  neg: one(first + 1),
  ceil: one(first + 2),
  floor: one(first + 3),
  trunc: one(first + 4),
  nearest: one(first + 5),
  sqrt: one(first + 6),
  add: two(first + 7),
  sub: two(first + 8),
  mul: two(first + 9),
  div: two(first + 10),
  min: two(first + 11),
  max: two(first + 12),
  copysign: two(first + 13),
});

export const f32 = {
  ...scalarFloat(f32Bytes, 0x43, 0x2a, 0x38, 0x8b, 0x5b),
  convert_i32_s: one(0xb2),
  demote: one(0xb6),
  reinterpret: one(0xbe),
} as const;

export const f64 = {
  ...scalarFloat(f64Bytes, 0x44, 0x2b, 0x39, 0x99, 0x61),
  convert_i32_s: one(0xb7),
  promote: one(0xbb),
} as const;
