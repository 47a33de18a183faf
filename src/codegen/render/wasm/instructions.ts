/**
 * @file Instructions of WebAssembly as functions from operand code to code: `f32x4.add(x, y)` pushes both, then adds.
 *
 * Opcodes: WebAssembly Core Specification 2.0, chapter 5.4; relaxed SIMD: the proposal of that name.
 */
import { f32Bytes, f64Bytes, i32Bytes, u32, type Code } from './bytes.js';
import { load, memory, one, store, two, type Binary, type Memory, type Unary } from './operations.js';

export { f32, f64, i32 } from './scalars.js';
export type { Memory } from './operations.js';

/** Vector instructions carry the prefix 0xfd and an opcode in LEB128. */
const v1 = (opcode: number): Unary => one(0xfd, ...u32(opcode));
const v2 = (opcode: number): Binary => two(0xfd, ...u32(opcode));

export const v128 = {
  load: load(0xfd, 0x00),
  load8_splat: load(0xfd, 0x07),
  load16_splat: load(0xfd, 0x08),
  load32_splat: load(0xfd, 0x09),
  load64_splat: load(0xfd, 0x0a),
  load32_zero: load(0xfd, 0x5c),
  load64_zero: load(0xfd, 0x5d),
  store: store(0xfd, 0x0b),
  /** One lane of 8, 16, 32 or 64 bits (log₂ of the bytes: 0 to 3) read into the value. */
  loadLane: (log: number, address: Code, value: Code, lane: number, where: Memory = {}): Code => [
    address,
    value,
    0xfd,
    0x54 + log,
    memory(where),
    lane,
  ],
  /** One lane of 8, 16, 32 or 64 bits (log₂ of the bytes: 0 to 3) of the value to memory. */
  storeLane: (log: number, address: Code, value: Code, lane: number, where: Memory = {}): Code => [
    address,
    value,
    0xfd,
    0x58 + log,
    memory(where),
    lane,
  ],
  /** The value with `lane` from memory. */
  load32_lane: (address: Code, value: Code, lane: number, where: Memory = {}): Code => [
    address,
    value,
    0xfd,
    0x56,
    memory(where),
    lane,
  ],
  /** `lane` of the value to memory. */
  store32_lane: (address: Code, value: Code, lane: number, where: Memory = {}): Code => [
    address,
    value,
    0xfd,
    0x5a,
    memory(where),
    lane,
  ],
  store64_lane: (address: Code, value: Code, lane: number, where: Memory = {}): Code => [
    address,
    value,
    0xfd,
    0x5b,
    memory(where),
    lane,
  ],
  not: v1(0x4d),
  and: v2(0x4e),
  andnot: v2(0x4f),
  or: v2(0x50),
  xor: v2(0x51),
  /** Bits of x where mask is 1, of y elsewhere. */
  bitselect: (x: Code, y: Code, mask: Code): Code => [x, y, mask, 0xfd, 0x52],
  any_true: v1(0x53),
} as const;

/** Bytes of two vectors chosen by index: 0–15 from x, 16–31 from y. */
export const shuffle = (x: Code, y: Code, lanes: readonly number[]): Code => [x, y, 0xfd, 0x0d, lanes];

/** Bytes 0 to 3 widened without sign to four int32, and back with saturation (of int32 that bytes hold: exact). */
export const widen8 = (x: Code): Code => [x, 0xfd, u32(0x89), 0xfd, u32(0xa9)];
export const narrow8 = (x: Code): Code => [x, i32x4.const(0), 0xfd, u32(0x85), i32x4.const(0), 0xfd, u32(0x65)];

export const i32x4 = {
  const: (a: number, b = a, c = a, d = a): Code => [0xfd, 0x0c, i32Bytes(a), i32Bytes(b), i32Bytes(c), i32Bytes(d)],
  splat: v1(0x11),
  extract_lane: (x: Code, lane: number): Code => [x, 0xfd, 0x1b, lane],
  eq: v2(0x37),
  ne: v2(0x38),
  lt_s: v2(0x39),
  gt_s: v2(0x3b),
  le_s: v2(0x3d),
  ge_s: v2(0x3f),
  abs: v1(0xa0),
  neg: v1(0xa1),
  shl: v2(0xab),
  shr_s: v2(0xac),
  shr_u: v2(0xad),
  add: v2(0xae),
  sub: v2(0xb1),
  mul: v2(0xb5),
  min_s: v2(0xb6),
  max_s: v2(0xb8),
  trunc_sat_f32x4_s: v1(0xf8),
  trunc_sat_f64x2_u_zero: v1(0xfd),
} as const;

export const f32x4 = {
  const: (a: number, b = a, c = a, d = a): Code => [0xfd, 0x0c, f32Bytes(a), f32Bytes(b), f32Bytes(c), f32Bytes(d)],
  splat: v1(0x13),
  extract_lane: (x: Code, lane: number): Code => [x, 0xfd, 0x1f, lane],
  replace_lane: (x: Code, lane: number, value: Code): Code => [x, value, 0xfd, 0x20, lane],
  eq: v2(0x41),
  ne: v2(0x42),
  lt: v2(0x43),
  gt: v2(0x44),
  le: v2(0x45),
  ge: v2(0x46),
  ceil: v1(0x67),
  floor: v1(0x68),
  trunc: v1(0x69),
  nearest: v1(0x6a),
  abs: v1(0xe0),
  neg: v1(0xe1),
  sqrt: v1(0xe3),
  add: v2(0xe4),
  sub: v2(0xe5),
  mul: v2(0xe6),
  div: v2(0xe7),
  min: v2(0xe8),
  max: v2(0xe9),
  /** `y < x ? y : x`: NaN in the first operand passes, in the second it is dropped; one instruction. */
  pmin: v2(0xea),
  pmax: v2(0xeb),
  convert_i32x4_s: v1(0xfa),
  demote_f64x2_zero: v1(0x5e),
  /** x·y + z with one rounding or two: relaxed SIMD. */
  relaxed_madd: (x: Code, y: Code, z: Code): Code => [x, y, z, 0xfd, u32(0x105)],
} as const;

export const f64x2 = {
  const: (a: number, b = a): Code => [0xfd, 0x0c, f64Bytes(a), f64Bytes(b)],
  splat: v1(0x14),
  extract_lane: (x: Code, lane: number): Code => [x, 0xfd, 0x21, lane],
  replace_lane: (x: Code, lane: number, y: Code): Code => [x, y, 0xfd, 0x22, lane],
  eq: v2(0x47),
  ne: v2(0x48),
  lt: v2(0x49),
  gt: v2(0x4a),
  le: v2(0x4b),
  ge: v2(0x4c),
  ceil: v1(0x74),
  floor: v1(0x75),
  trunc: v1(0x7a),
  nearest: v1(0x94),
  abs: v1(0xec),
  neg: v1(0xed),
  sqrt: v1(0xef),
  add: v2(0xf0),
  sub: v2(0xf1),
  mul: v2(0xf2),
  div: v2(0xf3),
  min: v2(0xf4),
  max: v2(0xf5),
  /** As `f32x4.pmin`. */
  pmin: v2(0xf6),
  pmax: v2(0xf7),
  promote_low_f32x4: v1(0x5f),
  convert_low_i32x4_s: v1(0xfe),
  relaxed_madd: (x: Code, y: Code, z: Code): Code => [x, y, z, 0xfd, u32(0x107)],
} as const;

export const i64x2 = {
  shl: v2(0xcb),
} as const;

/** Structured control. `br(0)` leaves a `block`, and repeats a `loop`. */
export const block = (...body: readonly Code[]): Code => [0x02, 0x40, body, 0x0b];
export const loop = (...body: readonly Code[]): Code => [0x03, 0x40, body, 0x0b];
export const br = (depth: number): Code => [0x0c, u32(depth)];
export const brIf = (depth: number, condition: Code): Code => [condition, 0x0d, u32(depth)];
export const when = (condition: Code, then: Code, otherwise?: Code): Code => [
  condition,
  0x04,
  0x40,
  then,
  ...(otherwise === undefined ? [] : [0x05, otherwise]),
  0x0b,
];
/** x where the condition is not zero, else y; both are computed. */
export const select = (x: Code, y: Code, condition: Code): Code => [x, y, condition, 0x1b];
/** Leaves the function. */
export const leave: Code = 0x0f;
export const call = (index: number, ...args: readonly Code[]): Code => [args, 0x10, u32(index)];
export const globalGet = (index: number): Code => [0x23, u32(index)];
/** memory.fill and memory.copy of the only memory. */
export const memoryFill = (address: Code, value: Code, bytes: Code): Code => [address, value, bytes, 0xfc, 0x0b, 0x00];
export const memoryCopy = (to: Code, from: Code, bytes: Code): Code => [to, from, bytes, 0xfc, 0x0a, 0x00, 0x00];
