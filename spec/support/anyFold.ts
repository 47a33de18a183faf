/**
 * @file Rows that are folded and read again: reductions along the same axes between elementwise ops, as variance and softmax are made of.
 */
import fc from 'fast-check';
import { EinstreamError } from '../../src/errors/index.js';
import { isElementwise } from '../../src/ops/fused.js';
import { isFold } from '../../src/ops/fusedSteps.js';
import type { Operand } from '../../src/ops/interpreter.js';
import type { Params } from '../../src/ops/op.js';
import { allOps, ops } from '../../src/ops/registry.js';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import type { Shape } from '../../src/tensor/shape.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { ELEMENTWISE } from './anyCall.js';
import { anyDType, anyLie, broadcastable, tensorLike, type Values } from './anyLayout.js';

interface Move {
  readonly op: string;
  readonly params: Params;
  readonly picks: readonly number[];
}

export interface AnyFold {
  readonly inputs: readonly Tensor[];
  readonly text: string;
  /** All values, the inputs first. */
  readonly rule: <A extends Operand>(inputs: readonly A[]) => readonly A[];
}

/** What is drawn from; without, every op and anything that a tensor may hold. */
export interface FoldChoice {
  readonly elementwise?: readonly string[];
  readonly folds?: readonly string[];
  readonly values?: fc.Arbitrary<Values>;
  readonly dtype?: fc.Arbitrary<ComputedDType>;
  readonly sizes?: fc.Arbitrary<number>;
}

const paramOf = (name: string): string => (Object.hasOwn(ops[name].definition.params, 'axes') ? 'axes' : 'axis');

/** Up to `maxMoves` ops over a few tensors that broadcast against one shape. */
export function anyFold(maxMoves: number, choice: FoldChoice = {}): fc.Arbitrary<AnyFold> {
  const { sizes = fc.integer({ min: 1, max: 9 }), values, dtype = anyDType } = choice;
  const like = (shape: Shape): fc.Arbitrary<Tensor> => tensorLike(shape, dtype, anyLie(values));
  const maps = choice.elementwise ?? allOps().filter((op) => isElementwise(op) && op.name !== 'fused').map(({ name }) => name); // prettier-ignore
  const folds = choice.folds ?? allOps().filter(isFold).map(({ name }) => name); // prettier-ignore
  const picks = fc.array(fc.oneof(fc.nat(1), fc.nat(4)), { minLength: 3, maxLength: 3 });
  const map: fc.Arbitrary<Move> = fc.constantFrom(...maps).chain((op) => fc.record({ op: fc.constant(op), params: ELEMENTWISE[op] ?? fc.constant({}), picks })); // prettier-ignore
  const over = (rank: number): fc.Arbitrary<readonly number[]> =>
    fc.constantFrom(
      [rank - 1],
      [rank - 1],
      Array.from({ length: rank }, (_, axis) => axis),
      [0],
    );
  const fold = (rank: number): fc.Arbitrary<Move> =>
    fc.tuple(fc.constantFrom(...folds), over(rank), fc.nat(4), picks).map(([op, axes, dropped, places]) => ({
      op,
      params: { [paramOf(op)]: axes, ...(Object.hasOwn(ops[op].definition.params, 'keepdims') ? { keepdims: dropped > 0 } : {}) },
      picks: places,
    }));
  return fc
    .array(sizes, { minLength: 1, maxLength: 3 })
    .chain((shape: Shape) =>
      fc.tuple(
        fc.tuple(like(shape), fc.array(broadcastable(shape).chain(like), { maxLength: 2 })),
        fc.array(fc.oneof({ arbitrary: map, weight: 3 }, { arbitrary: fold(shape.length), weight: 2 }), { minLength: 2, maxLength: maxMoves }), // prettier-ignore
      ),
    )
    .map(([[first, others], moves]) => {
      const inputs = [first, ...others];
      const fitting = fits(inputs, moves);
      return { inputs, text: fitting.map(describe).join(' '), rule: (given) => apply(fitting, given) };
    });
}

/** The moves that have a result, one after another. */
function fits(inputs: readonly Tensor[], moves: readonly Move[]): readonly Move[] {
  let values: readonly Tensor[] = inputs;
  return moves.filter((move) => {
    try {
      values = apply([move], values);
      return true;
    } catch (error) {
      if (!(error instanceof EinstreamError)) throw error;
      return false;
    }
  });
}

function apply<A extends Operand>(moves: readonly Move[], given: readonly A[]): readonly A[] {
  const values = [...given];
  for (const { op, params, picks } of moves) {
    const operands = Array.from({ length: ops[op].definition.minInputs }, (_, k) => values[Math.max(0, values.length - 1 - picks[k])]); // prettier-ignore
    values.push(ops[op](...operands, params) as A);
  }
  return values;
}

const describe = ({ op, params, picks }: Move): string => `${op}(${picks.join()} ${JSON.stringify(params)})`;
