/**
 * @file Folding vectors: what accumulates in which lanes, and how lanes become one number.
 *
 * Sums and products of float32 accumulate in float64, two vectors for one, as the reference does.
 */
import type { Monoid } from '../../../ops/op.js';
import type { Code } from './bytes.js';
import { call, f32x4, f64x2, i32x4, shuffle, v128 } from './instructions.js';
import { constantOf, FIRST_OF_FOUR, toInt32, type LaneKind } from './lanes.js';
import type { Local, Scope } from './module.js';

/** How one fold of a nest accumulates. */
export interface Folding {
  readonly monoid: Monoid;
  /** The lanes of the values. */
  readonly kind: LaneKind;
  /** Float64 lanes that wrap to int32 after each step. */
  readonly wraps: boolean;
  /** What is folded are the squares of the values, which float64 holds where float32 does not. */
  readonly squares: boolean;
}

const NEUTRAL: Readonly<Record<Monoid, number>> = { sum: 0, prod: 1, max: -Infinity, min: Infinity };
const INT_NEUTRAL: Readonly<Record<Monoid, number>> = { sum: 0, prod: 1, max: -(2 ** 31), min: 2 ** 31 - 1 };

/** What changes nothing, in lanes of `kind`. */
export const neutral = ({ monoid }: Folding, kind: LaneKind, scope: Scope): Code =>
  constantOf(kind, (kind === 'i32' ? INT_NEUTRAL : NEUTRAL)[monoid], scope);

/** The lanes that accumulate. */
export const accumulatorKind = ({ kind, monoid }: Folding): LaneKind =>
  kind === 'f32' && (monoid === 'sum' || monoid === 'prod') ? 'f64' : kind;

/** Accumulators for one vector of values: two where float32 accumulates in float64. */
export const accumulators = (folding: Folding): number => (folding.kind === accumulatorKind(folding) ? 1 : 2);

/** Lanes 2 and 3 in the place of 0 and 1. */
export const upper = (x: Code): Code => shuffle(x, x, [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);

/** A vector of values as its accumulators take it. */
export function parts(folding: Folding, x: Local): readonly Code[] {
  if (accumulators(folding) === 1) return [x.get];
  const halves = [f64x2.promote_low_f32x4(x.get), f64x2.promote_low_f32x4(upper(x.get))];
  return folding.squares ? halves.map((half) => f64x2.mul(half, half)) : halves;
}

export function combine(folding: Folding, x: Code, y: Code, scope: Scope): Code {
  const { monoid, wraps } = folding;
  switch (accumulatorKind(folding)) {
    case 'i32':
      return { sum: i32x4.add, prod: i32x4.mul, max: i32x4.max_s, min: i32x4.min_s }[monoid](x, y);
    case 'f32':
      return monoid === 'max' ? f32x4.max(x, y) : f32x4.min(x, y);
    case 'f64': {
      if (monoid === 'max') return f64x2.max(x, y);
      if (monoid === 'min') return f64x2.min(x, y);
      if (!wraps) return monoid === 'sum' ? f64x2.add(x, y) : f64x2.mul(x, y);
      if (monoid === 'sum') return f64x2.convert_low_i32x4_s(toInt32(f64x2.add(x, y), scope));
      return wrappingProduct(x, y, scope);
    }
  }
}

function wrappingProduct(x: Code, y: Code, scope: Scope): Code {
  const [a, b] = [scope.local('v128'), scope.local('v128')];
  const at = (lane: number): Code =>
    call(scope.functionIndex('integer.mul'), f64x2.extract_lane(a.get, lane), f64x2.extract_lane(b.get, lane));
  return [a.set(x), b.set(y), f64x2.replace_lane(f64x2.splat(at(0)), 1, at(1))];
}

/** One accumulator's lanes combined, in all lanes. */
export function acrossLanes(folding: Folding, x: Local, scope: Scope): Code {
  const swapped = combine(folding, x.get, upper(x.get), scope);
  const swapHalves = (): Code => [x.set(swapped)];
  if (accumulatorKind(folding) === 'f64') return [swapHalves(), x.set(shuffle(x.get, x.get, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]))]; // prettier-ignore
  const second = shuffle(x.get, x.get, [4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7]);
  return [swapHalves(), x.set(combine(folding, x.get, second, scope)), x.set(shuffle(x.get, x.get, FIRST_OF_FOUR))];
}

/** A fold's accumulators of one vector as a vector of `kind`: float32 from two of float64, or half `half` of it as float64. */
export function foldedAs(folding: Folding, kind: LaneKind, given: readonly Local[], half: number): Code {
  const own = accumulatorKind(folding);
  if (kind === own) return given[given.length === 2 ? half : 0].get;
  if (kind === 'f64') return f64x2.promote_low_f32x4(half === 0 ? given[0].get : upper(given[0].get));
  const [low, high] = given;
  return shuffle(
    f32x4.demote_f64x2_zero(low.get),
    f32x4.demote_f64x2_zero(high.get),
    [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23],
  );
}

/** Lanes that exist take the value, the others what changes nothing. */
export const masked = (folding: Folding, value: Code, exists: Code, scope: Scope): Code =>
  v128.bitselect(value, neutral(folding, folding.kind, scope), exists);
