/**
 * @file Graphs of elementwise ops alone: shared subterms, broadcasting, every dtype, numbers among the operands.
 */
import fc from 'fast-check';
import type { Operand } from '../../src/ops/interpreter.js';
import { isElementwise } from '../../src/ops/fused.js';
import type { AnyOp, Params } from '../../src/ops/op.js';
import { allOps, ops } from '../../src/ops/registry.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { ELEMENTWISE } from './anyCall.js';
import { anySmallShape, broadcastable, tensorLike } from './anyLayout.js';

interface Move {
  readonly op: AnyOp;
  readonly params: Params;
  readonly picks: readonly number[];
  /** Stands for the second operand where it is there. */
  readonly number: number | null;
}

export interface AnyElementwise {
  readonly inputs: readonly Tensor[];
  readonly text: string;
  /** All values, the inputs first, computed from the inputs, whatever they are. */
  readonly rule: <A extends Operand>(inputs: readonly A[]) => readonly A[];
}

const move = (names: readonly AnyOp[]): fc.Arbitrary<Move> =>
  fc.constantFrom(...names).chain((op) =>
    fc.record({
      op: fc.constant(op),
      params: ELEMENTWISE[op.name] ?? fc.constant({}),
      // Late values are picked often, so that chains grow long.
      picks: fc.array(fc.oneof(fc.nat(2), fc.nat(20)), { minLength: 3, maxLength: 3 }),
      number: fc.option(fc.constantFrom(0.1, 2, -0, NaN, 3e9, 1, -7), { freq: 5 }),
    }),
  );

function apply<A extends Operand>({ op, params, picks, number }: Move, values: readonly A[]): A {
  const operands = Array.from({ length: op.minInputs }, (_, k): Operand => {
    if (k === 1 && number !== null) return number;
    return values[values.length - 1 - (picks[k] % values.length)];
  });
  return ops[op.name](...operands, params) as A;
}

const describe = ({ op, params, picks, number }: Move): string =>
  `${op.name}(${picks.slice(0, op.minInputs).join()}${number === null ? '' : `; ${number}`} ${JSON.stringify(params)})`;

/** Up to `maxMoves` ops, one after another, on operands that broadcast against one of the shapes. */
export function anyElementwise(maxMoves: number, shapes = anySmallShape({ maxRank: 3 })): fc.Arbitrary<AnyElementwise> {
  const all = allOps().filter((op) => isElementwise(op) && op.name !== 'fused');
  const inputs = shapes.chain((shape) =>
    fc.array(
      broadcastable(shape).chain((each) => tensorLike(each)),
      { minLength: 1, maxLength: 4 },
    ),
  );
  return fc.tuple(inputs, fc.array(move(all), { minLength: 1, maxLength: maxMoves })).map(([tensors, moves]) => ({
    inputs: tensors,
    text: moves.map(describe).join(' '),
    rule: <A extends Operand>(given: readonly A[]): readonly A[] => {
      const values = [...given];
      for (const each of moves) values.push(apply(each, values));
      return values;
    },
  }));
}
