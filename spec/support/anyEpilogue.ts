/**
 * @file Contractions of two operands or three with elementwise ops behind them: any form, layout and dtype.
 */
import fc from 'fast-check';
import type { Operand } from '../../src/ops/interpreter.js';
import { ops } from '../../src/ops/registry.js';
import type { Shape } from '../../src/tensor/shape.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { anyElementwise } from './anyElementwise.js';
import { tensorLike } from './anyLayout.js';

/** Specs whose letters have sizes from the same list. */
const SPECS = ['ij,jk->ik', 'ij,kj->ik', 'ji,jk->ki', 'bij,bjk->bik', 'bij,jk->bik', 'ij,j->i', 'j,jk->k', 'i,i->', 'i,j->ij', 'ij,ij->ji', 'ijk,kjl->il', 'ij,jk,k->i', 'ij,jk,kl->il']; // prettier-ignore

export interface AnyEpilogue {
  /** The contracted operands first. */
  readonly inputs: readonly Tensor[];
  readonly text: string;
  /** The last value, computed from the inputs, whatever they are. */
  readonly rule: <A extends Operand>(inputs: readonly A[]) => A;
}

export const anyEpilogue = (maxMoves: number): fc.Arbitrary<AnyEpilogue> =>
  fc
    .record({
      spec: fc.constantFrom(...SPECS),
      sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 5, maxLength: 5 }),
    })
    .chain(({ spec, sizes }) => {
      const shapeOf = (letters: string): Shape => [...letters].map((letter) => sizes['bijkl'.indexOf(letter)]);
      const [operands, output] = spec.split('->');
      const contracted = operands.split(',').map((letters) => tensorLike(shapeOf(letters)));
      return fc.tuple(fc.constant(spec), fc.tuple(...contracted), anyElementwise(maxMoves, fc.constant(shapeOf(output))));
    })
    .map(([spec, contracted, { inputs, text, rule }]) => ({
      inputs: [...contracted, ...inputs],
      text: `einsum(${spec}) ${text}`,
      rule: <A extends Operand>(given: readonly A[]): A => {
        const product = ops['einsum'](...given.slice(0, contracted.length), { spec }) as A;
        return rule([...given.slice(contracted.length), product]).at(-1)!;
      },
    }));
