import { expect } from 'chai';
import {
  arange,
  broadcastView,
  inferShape,
  reshapeOrCopy,
  reshapeView,
  reversed,
  sliceView,
  stride,
  tensor,
  transposeView,
  zeros,
} from '../../../src/tensor/index.js';
import { BAD_SHAPES, expectRefusal } from '../refusals.js';

const grid = reshapeView(arange(6), [2, 3]);
const cube = reshapeView(arange(24), [2, 3, 4]);

describe('reshapeView', () => {
  it('gives the elements another shape, one size told by the others', () => {
    expect(reshapeView(grid, [3, 2]).toArray()).to.deep.equal([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(reshapeView(grid, [-1]).shape).to.deep.equal([6]);
    expect(inferShape([2, 3, 4], [4, -1])).to.deep.equal([4, 6]);
    expect(inferShape([0, 3], [-1, 3])).to.deep.equal([0, 3]);
    expect(inferShape([], [1, -1])).to.deep.equal([1, 1]);
  });

  it('splits and merges axes of views as far as strides go, and never copies (F101)', () => {
    const every = sliceView(cube, null, null, stride(2)); // [2, 3, 2], one even run
    expect(reshapeView(every, [6, 2]).buffer).to.equal(cube.buffer);
    expect(reshapeView(every, [12]).strides).to.deep.equal([2]);
    expect(reshapeView(sliceView(cube, reversed), [2, 12]).strides).to.deep.equal([-12, 1]);
    expectRefusal(
      () => reshapeView(transposeView(grid), [6]),
      'E_SHAPE',
      /strides can say the new shape; expected \[6\], got shape \[3, 2\] with strides \[1, 3\] \(reshape copies/,
    );
  });

  it('keeps a repeated axis repeated', () => {
    const repeated = broadcastView(tensor([[1], [2]]), [2, 3]);
    expect(reshapeView(broadcastView(tensor([1]), [6]), [2, 3]).strides).to.deep.equal([0, 0]);
    expectRefusal(() => reshapeView(repeated, [6]), 'E_SHAPE');
    expect(reshapeOrCopy(repeated, [6]).toArray()).to.deep.equal([1, 1, 1, 2, 2, 2]);
  });

  it('copies where asked and only where it must', () => {
    expect(reshapeOrCopy(grid, [6]).buffer).to.equal(grid.buffer);
    const copy = reshapeOrCopy(transposeView(grid), [-1]);
    expect(copy.buffer).to.not.equal(grid.buffer);
    expect(copy.toArray()).to.deep.equal([0, 3, 1, 4, 2, 5]);
  });

  it('refuses another count, and a size that cannot be told', () => {
    expectRefusal(
      () => reshapeView(grid, [4]),
      'E_SHAPE',
      /equally many elements; expected 6 elements, as shape \[2, 3\], got shape \[4\]/,
    );
    expectRefusal(() => reshapeView(grid, [4, -1]), 'E_SHAPE', /equally many/);
    expectRefusal(() => reshapeView(zeros([0]), [0, -1]), 'E_SHAPE', /size of -1 must follow/);
    expectRefusal(() => reshapeView(grid, [-1, -1]), 'E_SHAPE', /one size may be -1.* axis 1 /);
    expectRefusal(() => reshapeView(grid, [-2, -3]), 'E_SHAPE');
    expectRefusal(() => reshapeView(grid, '6' as unknown as number[]), 'E_SHAPE');
  });

  for (const [title, shape, codes] of BAD_SHAPES.filter(([title]) => title !== '-1')) {
    it(`refuses the shape ${title} (G4)`, () => expectRefusal(() => reshapeView(grid, shape as number[]), codes));
  }
});
