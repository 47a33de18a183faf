/**
 * @file The largest and smallest of float32 in one instruction a vector: what that instruction forgets is remembered beside it.
 *
 * pmax drops NaN and does not tell −0 from 0. So a mask remembers NaN, and the bits of all elements whether one of them
 * was +0: a largest of ±0 is −0 only where every element has its sign set. For the smallest it is the other way round.
 */
import type { Code } from './bytes.js';
import type { Folding } from './fold.js';
import { f32x4, i32x4, shuffle, v128 } from './instructions.js';
import { constantOf } from './lanes.js';
import type { Local, Scope } from './module.js';

/** What is remembered of all elements, whatever vector they came in. */
export interface Witness {
  readonly nan: Local;
  readonly bits: Local;
}

/** Whether a fold takes this way. */
export const isExtreme = ({ kind, monoid }: Folding): boolean => kind === 'f32' && (monoid === 'max' || monoid === 'min');

const gather = ({ monoid }: Folding, x: Code, y: Code): Code => (monoid === 'max' ? v128.and(x, y) : v128.or(x, y));

export const openWitness = ({ monoid }: Folding, scope: Scope, { nan, bits }: Witness): Code => [
  nan.set(constantOf('i32', 0, scope)),
  bits.set(constantOf('i32', monoid === 'max' ? -1 : 0, scope)),
];

/** One more vector. */
export const observe = (folding: Folding, best: Local, { nan, bits }: Witness, x: Local): Code => [
  best.set((folding.monoid === 'max' ? f32x4.pmax : f32x4.pmin)(x.get, best.get)),
  nan.set(v128.or(nan.get, f32x4.ne(x.get, x.get))),
  bits.set(gather(folding, bits.get, x.get)),
];

/** The extreme in all lanes as `Math.max` or `Math.min` has it. */
export function settle(folding: Folding, best: Local, { nan, bits }: Witness, scope: Scope): Code {
  const halves = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
  const pairs = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];
  const over = (local: Local, join: (x: Code, y: Code) => Code): Code =>
    [halves, pairs].map((lanes) => local.set(join(local.get, shuffle(local.get, local.get, lanes))));
  const sign = v128.and(bits.get, constantOf('f32', -0, scope));
  return [
    over(nan, v128.or),
    over(bits, (x, y) => gather(folding, x, y)),
    best.set(v128.bitselect(sign, best.get, f32x4.eq(best.get, constantOf('f32', 0, scope)))),
    best.set(v128.or(best.get, i32x4.ne(nan.get, constantOf('i32', 0, scope)))),
  ];
}
