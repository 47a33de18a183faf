/**
 * @file The examples of the seed's section "Zero-Copy Tensor Operations", translated and executed.
 */
import { expect } from 'chai';
import { reshape, slice } from '../../src/ops/index.js';
import { arange, at, range, reversed, viewBuilder, zeros, type SliceSpec, type Tensor } from '../../src/tensor/index.js';

const counted = (shape: readonly number[]): Tensor => reshape(arange(shape.reduce((a, b) => a * b, 1)), { shape });

describe('the tensor view examples of the seed', () => {
  it('E16: a view by a range and a full dimension has its rank and contiguity, and no bytes of its own', () => {
    const large = zeros([1000, 1000]);
    const view = slice(large, range(10, 50), null);
    expect([view.shape, view.rank, view.isContiguous]).to.deep.equal([[40, 1000], 2, true]);
    expect(view.buffer).to.equal(large.buffer);
    expect(slice(large, null, range(10, 50)).isContiguous).to.equal(false);
  });

  it('E17: the builder takes a range, an index and an offset, and the values are those', () => {
    const base = counted([30, 8, 5]);
    const view = viewBuilder(base).rangeDim(0, 10, 20).indexDim(1, 5).withOffset(100).build();
    expect(view.shape).to.deep.equal([10, 5]);
    expect(view.buffer).to.equal(base.buffer);
    // [10, 5, 0] is element 10·40 + 5·5, and 100 elements further on.
    expect((view.toArray() as number[][])[0]).to.deep.equal([525, 526, 527, 528, 529]);
  });

  it('E18: a view of a view is what slicing directly gives', () => {
    const base = counted([100, 4]);
    const composed = slice(slice(base, range(10, 90), null), range(5, 15), at(2));
    expect(composed.toArray()).to.deep.equal(slice(base, range(15, 25), at(2)).toArray());
    expect(composed.buffer).to.equal(base.buffer);
  });

  it('E19: each of the five kinds of slices, applied to data', () => {
    const base = counted([101]);
    const specs: readonly (readonly [SliceSpec, unknown])[] = [
      [null, Array.from({ length: 101 }, (_, i) => i)],
      [range(0, 100), Array.from({ length: 100 }, (_, i) => i)],
      [at(42), 42],
      [range(0, 100, 2), Array.from({ length: 50 }, (_, i) => 2 * i)],
      [reversed, Array.from({ length: 101 }, (_, i) => 100 - i)],
    ];
    for (const [spec, elements] of specs) expect(slice(base, spec).toArray()).to.deep.equal(elements);
  });
});
