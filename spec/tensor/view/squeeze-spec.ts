import { expect } from 'chai';
import { arange, reshapeView, squeezeView, tensor, unsqueezeView, zeros } from '../../../src/tensor/index.js';
import { expectRefusal } from '../refusals.js';

const grid = reshapeView(arange(6), [2, 3]);

describe('squeezeView and unsqueezeView', () => {
  it('drop axes of size 1, all or those named', () => {
    const t = reshapeView(arange(2), [1, 2, 1]);
    expect(squeezeView(t).shape).to.deep.equal([2]);
    expect(squeezeView(t, null).shape).to.deep.equal([2]);
    expect(squeezeView(t, 0).shape).to.deep.equal([2, 1]);
    expect(squeezeView(t, [-1, 0]).shape).to.deep.equal([2]);
    expect(squeezeView(t, []).shape).to.deep.equal([1, 2, 1]);
    expectRefusal(() => squeezeView(t, 1), 'E_SHAPE', /axis 1 must have size 1; got size 2 in shape \[1, 2, 1\]/);
    expectRefusal(() => squeezeView(t, 3), 'E_SHAPE', /axis 3 must exist/);
  });

  it('add axes of size 1 where they stand in the result', () => {
    expect(unsqueezeView(grid, 0).shape).to.deep.equal([1, 2, 3]);
    expect(unsqueezeView(grid, -1).shape).to.deep.equal([2, 3, 1]);
    expect(unsqueezeView(grid, [3, 0]).shape).to.deep.equal([1, 2, 3, 1]);
    expect(unsqueezeView(tensor(1), [0, 1]).toArray()).to.deep.equal([[1]]);
    expectRefusal(() => unsqueezeView(grid, 3), 'E_SHAPE', /axis 3 must exist/);
    expectRefusal(() => unsqueezeView(grid, [0, 0]), 'E_SHAPE', /once/);
    expectRefusal(() => unsqueezeView(zeros(new Array<number>(64).fill(1)), 0), 'E_LIMIT');
  });
});
