import { expect } from 'chai';
import {
  allocateArray,
  allocateTensor,
  arange,
  at,
  copyElements,
  eye,
  packed,
  range,
  reversed,
  sliceView,
  tensor,
  Tensor,
  tensorOver,
  transposeView,
  wrap,
  zeros,
} from '../../src/tensor/index.js';
import { broadcastView, reshapeView } from '../../src/tensor/index.js';
import { BAD_SHAPES, expectRefusal } from './refusals.js';

describe('a tensor', () => {
  it('tells its dtype, shape, rank, size and bytes in a row (F002)', () => {
    const t = tensor(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: 'float64' },
    );
    expect([t.dtype, t.shape, t.rank, t.size, t.strides, t.offset]).to.deep.equal(['float64', [2, 3], 2, 6, [3, 1], 0]);
    expect(t.data).to.deep.equal(Float64Array.of(1, 2, 3, 4, 5, 6));
    expect(String(t)).to.equal('Tensor float64 [2, 3]');
  });

  it('gives its data without a copy where it is contiguous, also a part of a buffer', () => {
    const t = reshapeView(arange(12), [3, 4]);
    expect(t.data).to.equal(t.buffer.array);
    const row = sliceView(t, at(1)).data;
    expect([...(row as Float32Array)]).to.deep.equal([4, 5, 6, 7]);
    expect(row.buffer).to.equal(t.data.buffer);
    expect(transposeView(t).data.buffer).to.not.equal(t.data.buffer);
  });

  it('is contiguous as NumPy says: row-major without gaps, sizes of 1 and emptiness aside (F097)', () => {
    const t = reshapeView(arange(12), [3, 4]);
    const rows: readonly (readonly [string, Tensor, boolean])[] = [
      ['itself', t, true],
      ['some rows', sliceView(t, range(1, 3)), true],
      ['some columns', sliceView(t, null, range(0, 2)), false],
      ['every second row', sliceView(t, range(null, null, 2)), false],
      ['one row of a step', sliceView(t, range(0, 1, 2)), true],
      ['one column', sliceView(t, null, at(0)), false],
      ['backwards', sliceView(t, reversed), false],
      ['one row backwards', sliceView(t, range(2, 1, -1)), true],
      ['transposed', transposeView(t), false],
      ['a transposed row', transposeView(sliceView(t, range(0, 1))), true],
      ['repeated', broadcastView(tensor([1]), [3]), false],
      ['repeated once', broadcastView(tensor([1]), [1, 1]), true],
      ['one element', sliceView(t, at(2), at(3)), true],
      ['empty', sliceView(transposeView(t), range(0, 0)), true],
    ];
    for (const [title, view, contiguous] of rows) expect(view.isContiguous, title).to.equal(contiguous);
  });

  it('nests its elements: numbers, booleans, bigints, and nothing for a size of 0', () => {
    expect(tensor([[true], [false]]).toArray()).to.deep.equal([[true], [false]]);
    expect(tensor([1n]).toArray()).to.deep.equal([1n]);
    expect(tensor(3).toArray()).to.equal(3);
    expect(zeros([2, 0, 3]).toArray()).to.deep.equal([[], []]);
    expect(zeros([0, 2]).toArray()).to.deep.equal([]);
    expect(transposeView(eye(2, { columns: 3 })).toArray()).to.deep.equal([
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    expect(zeros(new Array<number>(64).fill(1)).toArray()).to.be.an('array');
  });

  it('that was borrowed cannot be read after its frame, by itself or through a view', () => {
    const t = arange(4);
    const views = [t, sliceView(t, reversed), sliceView(t, at(0))];
    t.buffer.retired = true;
    for (const view of views) {
      expectRefusal(() => view.data, 'E_STALE', /borrowed/);
      expectRefusal(() => view.toArray(), 'E_STALE');
      expectRefusal(() => copyElements(view, new Float32Array(4)), 'E_STALE');
    }
  });
});

describe('allocateTensor', () => {
  it('gives zeros of any dtype', () => {
    expect(allocateTensor([2, 2], 'int64').toArray()).to.deep.equal([
      [0n, 0n],
      [0n, 0n],
    ]);
    expect(allocateTensor([], 'bool').toArray()).to.equal(false);
  });

  for (const [title, shape] of BAD_SHAPES) {
    it(`refuses the shape ${title} before it allocates (G4)`, () =>
      expectRefusal(() => allocateTensor(shape as number[], 'float64'), ['E_SHAPE', 'E_LIMIT']));
  }

  it('says how many bytes could not be had', () => {
    expectRefusal(() => allocateArray(2 ** 50, 'float64'), 'E_OOM', /9007199254740992 bytes/);
  });
});

describe('copyElements', () => {
  it('writes row-major elements of any view at a place in an array', () => {
    const t = reshapeView(arange(6), [2, 3]);
    const target = new Float32Array(8).fill(-1);
    copyElements(transposeView(t), target, 1);
    expect([...target]).to.deep.equal([-1, 0, 3, 1, 4, 2, 5, -1]);
    copyElements(sliceView(t, at(1)), target, 5);
    expect([...target]).to.deep.equal([-1, 0, 3, 1, 4, 3, 4, 5]);
    copyElements(zeros([0, 3]), target, 8);
    expect(target[7]).to.equal(5);
  });

  it('copies bigints', () => {
    const t = tensor([
      [1n, 2n],
      [3n, 4n],
    ]);
    expect(packed(transposeView(t))).to.deep.equal(BigInt64Array.of(1n, 3n, 2n, 4n));
  });
});

describe('tensorOver and packed', () => {
  it('take an array over, and give one away', () => {
    const array = Float32Array.of(1, 2);
    expect(tensorOver(array, 'float32', [2]).data).to.equal(array);
    const t = wrap(array);
    expect(packed(t)).to.deep.equal(array);
    expect(packed(t)).to.not.equal(array);
  });
});
