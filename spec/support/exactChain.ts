/**
 * @file Chains of ops of which no two ways to compute them may differ by a bit, in any mixture of dtypes.
 */
import fc from 'fast-check';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import type { Shape } from '../../src/tensor/shape.js';
import type { Call } from './anyCall.js';
import { anyDType, broadcastable, tensorLike, type Lie } from './anyLayout.js';

/** Ops whose result is one rounding of the true one, or exact. */
const EXACT: Readonly<Record<string, number>> = {
  add: 2, sub: 2, mul: 2, div: 2, maximum: 2, minimum: 2, less: 2, equal: 2, greaterEqual: 2, logicalAnd: 2, logicalXor: 2,
  where: 3, neg: 1, abs: 1, sign: 1, sqrt: 1, relu: 1, floor: 1, round: 1, isnan: 1, logicalNot: 1, square: 1, orProbSum: 2, cast: 1,
}; // prettier-ignore

/** A group over one to four operands that broadcast to the shape. Steps read the last values, so that chains grow long. */
export function exactChain(
  shapes: fc.Arbitrary<Shape>,
  lies: fc.Arbitrary<Lie>,
  dtypes: fc.Arbitrary<ComputedDType> = anyDType,
): fc.Arbitrary<Call> {
  const step = fc.record({
    op: fc.constantFrom(...Object.keys(EXACT)),
    picks: fc.array(fc.nat(5), { minLength: 3, maxLength: 3 }),
    dtype: dtypes,
  });
  return fc.tuple(shapes, fc.nat(3), fc.array(step, { minLength: 1, maxLength: 9 })).chain(([shape, extra, drawn]) => {
    const count = 1 + extra;
    const steps = drawn.map(({ op, picks, dtype }, at) => ({
      op,
      params: op === 'cast' ? { dtype } : {},
      args: picks.slice(0, EXACT[op]).map((pick) => Math.max(0, count + at - 1 - pick)),
    }));
    const operand = broadcastable(shape).chain((each) => tensorLike(each, dtypes, lies));
    return fc
      .tuple(...Array.from({ length: count }, () => operand))
      .map((operands) => ({ op: 'fused', operands, params: { steps } }));
  });
}
