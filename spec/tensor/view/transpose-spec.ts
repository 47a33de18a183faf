import { expect } from 'chai';
import { arange, reshapeView, tensor, transposeView } from '../../../src/tensor/index.js';
import { expectRefusal } from '../refusals.js';

const grid = reshapeView(arange(6), [2, 3]);
const cube = reshapeView(arange(24), [2, 3, 4]);

describe('transposeView', () => {
  it('turns the axes around, or puts them as the permutation says', () => {
    expect(transposeView(grid).toArray()).to.deep.equal([
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
    expect(transposeView(cube, [1, -1, 0]).shape).to.deep.equal([3, 4, 2]);
    expect(transposeView(tensor(1)).shape).to.deep.equal([]);
  });

  it('wants every axis once', () => {
    expectRefusal(() => transposeView(cube, [0, 1]), 'E_SHAPE', /every axis once; expected 3 axes, got \[0, 1\]/);
    expectRefusal(() => transposeView(cube, [0, 1, -2]), 'E_SHAPE', /axis 1 must be named once/);
    expectRefusal(() => transposeView(cube, [0, 1, 3]), 'E_SHAPE', /axis 3 must exist/);
  });
});
