/**
 * @file Signs, masks and choices on float32 lanes.
 */
import type { Code } from '../bytes.js';
import { f32x4, i32, i32x4, v128 } from '../instructions.js';
import type { Steps } from './steps.js';

const SIGN = -0x80000000;

/** The sign bit of x alone. */
export const signOf = (m: Steps, x: Code): Code => v128.and(x, m.i(SIGN));

/** A magnitude with the sign of x. */
export const withSign = (m: Steps, magnitude: Code, x: Code): Code => v128.or(magnitude, signOf(m, x));

/** x where the mask is set, y elsewhere. */
export const choose = (mask: Code, x: Code, y: Code): Code => v128.bitselect(x, y, mask);

/** 1.0 where the mask is set, else 0.0. */
export const truth = (m: Steps, mask: Code): Code => v128.and(mask, m.f(1));

/** The sign bit over the whole lane. */
export const isNegative = (x: Code): Code => i32x4.shr_s(x, i32.const(31));

/** A NaN in every lane that the mask sets. */
export const nanWhere = (value: Code, mask: Code): Code => v128.or(value, mask);

/** The lowest bit of an int32 over the whole lane. */
export const isOdd = (n: Code): Code => isNegative(shiftLeft(n, 31));

/** Shifts the bits of float32 or int32 lanes. */
export const shiftLeft = (x: Code, by: number): Code => i32x4.shl(x, i32.const(by));

export const infinity = (m: Steps): Code => m.f(Infinity);

/** Neither NaN nor infinite, of a magnitude. */
export const isFinite = (m: Steps, magnitude: Code): Code => f32x4.lt(magnitude, infinity(m));
