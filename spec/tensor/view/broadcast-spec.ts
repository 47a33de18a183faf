import { expect } from 'chai';
import { arange, broadcastView, reshapeView, tensor } from '../../../src/tensor/index.js';
import { BAD_SHAPES, expectRefusal } from '../refusals.js';

const grid = reshapeView(arange(6), [2, 3]);

describe('broadcastView', () => {
  it('stretches size 1 and missing axes, at no cost', () => {
    const row = tensor([1, 2]);
    expect(broadcastView(row, [3, 2]).toArray()).to.deep.equal([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(broadcastView(tensor([[1], [2]]), [2, 2]).toArray()).to.deep.equal([
      [1, 1],
      [2, 2],
    ]);
    expect(broadcastView(tensor(5), [2, 1]).toArray()).to.deep.equal([[5], [5]]);
    expect(broadcastView(row, [1_000_000, 2]).buffer).to.equal(row.buffer);
    expect(broadcastView(tensor([1]), [0]).shape).to.deep.equal([0]);
  });

  it('refuses other sizes and a smaller rank, naming the axis', () => {
    expectRefusal(
      () => broadcastView(grid, [4, 3]),
      'E_SHAPE',
      /axis 0 must have size 1 or the size asked; expected \[4, 3\], got \[2, 3\]/,
    );
    expectRefusal(() => broadcastView(grid, [3]), 'E_SHAPE', /rank must not shrink/);
    expectRefusal(() => broadcastView(grid, [2, 0]), 'E_SHAPE', /axis 1/);
  });

  it('refuses to stretch beyond what a tensor may hold, before any memory is asked (G5)', () => {
    expectRefusal(() => broadcastView(tensor([1]), [1e6, 1e6]), 'E_LIMIT');
  });

  for (const [title, shape, codes] of BAD_SHAPES) {
    it(`refuses the shape ${title} (G4)`, () => expectRefusal(() => broadcastView(tensor(1), shape as number[]), codes));
  }
});
