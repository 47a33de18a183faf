import { expect } from 'chai';
import {
  arange,
  at,
  range,
  reshapeView,
  reversed,
  sliceView,
  transposeView,
  viewBuilder,
  zeros,
} from '../../../src/tensor/index.js';
import { expectRefusal } from '../refusals.js';

const grid = reshapeView(arange(600), [60, 10]);

describe('viewBuilder', () => {
  it('takes ranges, indices and an offset, and reads the values back (F099, E17)', () => {
    const view = viewBuilder(grid).rangeDim(0, 10, 20).indexDim(1, 5).withOffset(100).build();
    expect(view.shape).to.deep.equal([10]);
    expect(view.toArray()).to.deep.equal(Array.from({ length: 10 }, (_, i) => (10 + i) * 10 + 5 + 100));
    expect(view.buffer).to.equal(grid.buffer);
  });

  it('is what slice is, whatever the order of the calls', () => {
    const sliced = sliceView(grid, range(1, 50, 7), reversed);
    const [one, other] = [
      viewBuilder(grid).rangeDim(0, 1, 50, 7).reverseDim(1).build(),
      viewBuilder(grid).reverseDim(-1).rangeDim(-2, 1, 50, 7).build(),
    ];
    for (const view of [one, other])
      expect([view.shape, view.strides, view.offset]).to.deep.equal([sliced.shape, sliced.strides, sliced.offset]);
    expect(viewBuilder(grid).build().toArray()).to.deep.equal(grid.toArray());
    expect(viewBuilder(transposeView(grid)).indexDim(0, 3).rangeDim(1, 0, 2).build().toArray()).to.deep.equal([3, 13]);
  });

  it('can be built from again: every call gives a new builder', () => {
    const rows = viewBuilder(grid).rangeDim(0, 0, 2);
    expect(rows.indexDim(1, 0).build().toArray()).to.deep.equal([0, 10]);
    expect(rows.indexDim(1, 1).build().toArray()).to.deep.equal([1, 11]);
  });

  it('takes strides of its own: windows that overlap, diagonals', () => {
    const square = reshapeView(arange(9), [3, 3]);
    expect(viewBuilder(square).withStrides([1, 1]).build().toArray()).to.deep.equal([
      [0, 1, 2],
      [1, 2, 3],
      [2, 3, 4],
    ]);
    expect(viewBuilder(square).withStrides([4, 0]).indexDim(1, 0).build().toArray()).to.deep.equal([0, 4, 8]);
  });

  it('refuses a dimension that does not exist (F099)', () => {
    for (const dim of [2, -3, 0.5, NaN]) {
      expectRefusal(() => viewBuilder(grid).indexDim(dim, 0), 'E_SHAPE', /^"viewBuilder": axis .* must exist/);
      expectRefusal(() => viewBuilder(grid).rangeDim(dim, 0, 1), 'E_SHAPE');
      expectRefusal(() => viewBuilder(grid).reverseDim(dim), 'E_SHAPE');
    }
  });

  it('refuses a dimension that is set twice (F099)', () => {
    expectRefusal(() => viewBuilder(grid).rangeDim(0, 0, 1).indexDim(-2, 0), 'E_ARGUMENT', /dimension 0 may be set once/);
  });

  it('refuses an offset that leaves the buffer, at either end (F099)', () => {
    expectRefusal(
      () => viewBuilder(grid).withOffset(1).build(),
      'E_SHAPE',
      /stay inside the buffer; expected addresses 0 to 599, got 1 to 600/,
    );
    expectRefusal(() => viewBuilder(grid).withOffset(-1).build(), 'E_SHAPE', /got -1 to 598/);
    expect(viewBuilder(grid).indexDim(0, 0).withOffset(590).build().toArray()).to.have.length(10);
    expectRefusal(() => viewBuilder(grid).indexDim(0, 0).withOffset(591).build(), 'E_SHAPE');
    expect(
      viewBuilder(sliceView(grid, at(1)))
        .withOffset(-10)
        .build()
        .toArray(),
    ).to.deep.equal(sliceView(grid, at(0)).toArray());
    expectRefusal(
      () =>
        viewBuilder(zeros([0]))
          .withOffset(1)
          .build(),
      'E_SHAPE',
    );
    for (const offset of [0.5, NaN, Infinity, 2 ** 60, '1'])
      expectRefusal(() => viewBuilder(grid).withOffset(offset as number), 'E_ARGUMENT', /must be an integer/);
  });

  it('refuses strides that leave the buffer, or are not one a dimension', () => {
    expectRefusal(() => viewBuilder(grid).withStrides([10, 2]).build(), 'E_SHAPE', /stay inside the buffer/);
    expectRefusal(() => viewBuilder(grid).withStrides([-10, 1]).build(), 'E_SHAPE', /got -590 to 9/);
    expect(viewBuilder(grid).withStrides([-10, 1]).withOffset(590).build().toArray()).to.deep.equal(
      sliceView(grid, reversed).toArray(),
    );
    expectRefusal(
      () => viewBuilder(grid).withStrides([1]),
      'E_SHAPE',
      /one stride a dimension; expected 2 for shape \[60, 10\], got 1/,
    );
    expectRefusal(() => viewBuilder(grid).withStrides([1, 0.5]), 'E_SHAPE');
  });

  it('refuses an index outside its dimension', () => {
    expectRefusal(() => viewBuilder(grid).indexDim(1, 10).build(), 'E_SHAPE', /index 10 must lie in axis 1/);
  });
});
