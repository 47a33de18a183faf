import { expect } from 'chai';
import { parseEinsum } from '../../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../../src/ops/einsum/resolve.js';
import { contractionPath, pairwise } from '../../../src/plan/path/index.js';

describe('a path, pair by pair', () => {
  it('stretches an operand of size 1 no sooner than needed', () => {
    const { contraction } = resolveEinsum(parseEinsum('bij,bjk,bk->bi'), [
      [1, 2, 3],
      [1, 3, 4],
      [64, 4],
    ]);
    const path = contractionPath(contraction!, { strategy: 'none' });
    expect(path.steps.map((step) => step.elements)).to.deep.equal([8, 128]);
    expect(pairwise(contraction!, path).map((step) => step.contraction)).to.deep.equal([
      {
        sizes: [2, 4, 1, 3],
        operands: [
          [2, 0, 3],
          [2, 3, 1],
        ],
        output: [0, 1],
        names: ['i', 'k', 'b', 'j'],
        shapes: [
          [1, 2, 3],
          [1, 3, 4],
        ],
      },
      {
        sizes: [64, 2, 4],
        operands: [
          [0, 2],
          [1, 2],
        ],
        output: [0, 1],
        names: ['b', 'i', 'k'],
        shapes: [
          [64, 4],
          [2, 4],
        ],
      },
    ]);
  });
});
