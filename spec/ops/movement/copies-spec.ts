/** @file Movement that makes a new tensor: each against a model by index. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../../src/errors/index.js';
import { concat, gather, pad, repeat, reshape, slice, split, stack, take, tile } from '../../../src/ops/index.js';
import { tensor } from '../../../src/tensor/create.js';
import { arange } from '../../../src/tensor/fill.js';
import { tensorOver, type Tensor } from '../../../src/tensor/tensor.js';
import { range } from '../../../src/tensor/view/specs.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { anyTensor, elementAt, indicesOf, tensorOfShape } from '../anyTensor.js';

const property = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, holds), { seed: propertySeed(), numRuns: propertyRuns(200, 2000, 50_000) });
const withAxis = <T extends Tensor>(t: T) => fc.tuple(fc.constant(t), fc.integer({ min: 0, max: t.rank - 1 }));
const ints = (...values: number[]) => tensor(Int32Array.from(values));

describe('concat', () => {
  it('is undone by slices, for any axis, sizes and layouts (N9)', () => {
    const pairs = anyTensor({ minRank: 1 })
      .chain(withAxis)
      .chain(([t, axis]) =>
        fc.tuple(
          fc.constant(t),
          fc.constant(axis),
          fc.integer({ min: 0, max: 3 }).chain((size) => tensorOfShape(t.shape.map((n, k) => (k === axis ? size : n)))),
        ),
      );
    property(pairs, ([a, axis, b]) => {
      const both = concat([a, b, a], { axis: axis - a.rank });
      const whole = new Array<null>(axis).fill(null);
      const sizes = [a.shape[axis], b.shape[axis], a.shape[axis]];
      expect(slice(both, ...whole, range(0, sizes[0])).toArray()).to.deep.equal(a.toArray());
      expect(split(both, { axis, sizes }).map((part) => part.toArray())).to.deep.equal([a, b, a].map((part) => part.toArray()));
    });
  });

  it('takes the highest dtype, and refuses sizes that differ elsewhere, ranks that differ, and scalars', () => {
    expect(concat([tensor([true]), ints(2), tensor([0.5])]).dtype).to.equal('float32');
    expect(() => concat([tensor([[1, 2]]), tensor([[1]])]))
      .to.throw(EinstreamError, /equal at axis 1.*\[1, 2\], got \[1, 1\]/)
      .with.property('code', 'E_SHAPE');
    expect(() => concat([tensor([[1]]), tensor([1])]))
      .to.throw(EinstreamError, /one rank/)
      .with.property('code', 'E_SHAPE');
    expect(() => concat([tensor(1), tensor(2)]))
      .to.throw(EinstreamError, /rank 0/)
      .with.property('code', 'E_SHAPE');
    expect(() => concat([]))
      .to.throw(EinstreamError)
      .with.property('code', 'E_ARGUMENT');
  });
});

describe('stack', () => {
  it('puts tensors side by side along a new axis, anywhere', () => {
    const [a, b] = [tensor([1, 2, 3]), tensor([4, 5, 6])];
    expect(stack([a, b]).toArray()).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(stack([a, b], { axis: -1 }).toArray()).to.deep.equal([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect(stack([tensor(1), tensor(2)]).toArray()).to.deep.equal([1, 2]);
    expect(() => stack([a, tensor([1])]))
      .to.throw(EinstreamError)
      .with.property('code', 'E_SHAPE');
  });
});

describe('split', () => {
  it('cuts into equal parts or given sizes, as views, and refuses parts that do not fill the axis (G11)', () => {
    const x = arange(6);
    expect(split(x, { parts: 3 }).map((part) => part.toArray())).to.deep.equal([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(split(x, { parts: 2 })[1].buffer).to.equal(x.buffer);
    for (const bad of [{ parts: 4 }, { parts: 0 }, { parts: -1 }, { sizes: [] }, { sizes: [7, -1] }, { sizes: [5] }, {}]) {
      expect(() => split(x, bad), JSON.stringify(bad))
        .to.throw(EinstreamError, /must fill axis 0/)
        .with.property('code', 'E_SHAPE');
    }
  });
});

describe('pad', () => {
  it('puts a value around, and slicing takes it away again', () => {
    const framed = anyTensor().chain((t) =>
      fc.tuple(
        fc.constant(t),
        fc.tuple(...t.shape.map(() => fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })))),
      ),
    );
    property(framed, ([t, pads]) => {
      const padded = pad(t, { pads, value: 7 });
      for (const index of indicesOf(padded.shape)) {
        const inner = index.map((i, axis) => i - pads[axis][0]);
        const isInside = inner.every((i, axis) => i >= 0 && i < t.shape[axis]);
        expect(elementAt(padded, index)).to.deep.equal(isInside ? elementAt(t, inner) : 7);
      }
      expect(slice(padded, ...t.shape.map((size, axis) => range(pads[axis][0], pads[axis][0] + size))).toArray()).to.deep.equal(
        t.toArray(),
      );
    });
  });

  it('keeps the dtype, and refuses values it cannot hold, negative counts and a wrong number of pairs', () => {
    expect(pad(ints(1), { pads: [[1, 0]], value: -1 }).toArray()).to.deep.equal([-1, 1]);
    expect(pad(tensor([1]), { pads: [[1, 0]], value: NaN }).toArray()).to.deep.equal([NaN, 1]);
    expect(pad(tensor([true]), { pads: [[1, 0]] }).toArray()).to.deep.equal([false, true]);
    for (const value of [0.5, NaN, 2 ** 31])
      expect(() => pad(ints(1), { pads: [[1, 0]], value }))
        .to.throw(EinstreamError, /int32/)
        .with.property('code', 'E_DTYPE');
    expect(() => pad(tensor([1]), { pads: [[-1, 0]] }))
      .to.throw(EinstreamError, /axis 0; got \[-1, 0\]/)
      .with.property('code', 'E_SHAPE');
    expect(() => pad(tensor([1]), { pads: [] }))
      .to.throw(EinstreamError, /one pair for each axis/)
      .with.property('code', 'E_SHAPE');
    expect(() => pad(tensor([1]), { pads: [[1]] }))
      .to.throw(EinstreamError, /pairs/)
      .with.property('code', 'E_ARGUMENT');
  });
});

describe('tile and repeat', () => {
  it('say the tensor, or each element, again (N9)', () => {
    const counted = anyTensor().chain((t) =>
      fc.tuple(fc.constant(t), fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 })),
    );
    property(counted, ([t, reps]) => {
      const tiled = tile(t, { reps });
      const rank = Math.max(t.rank, reps.length);
      expect(tiled.rank).to.equal(rank);
      for (const index of indicesOf(tiled.shape)) {
        const own = index.slice(rank - t.rank).map((i, axis) => i % t.shape[axis]);
        expect(elementAt(tiled, index)).to.deep.equal(elementAt(t, own));
      }
    });
    property(anyTensor({ minRank: 1 }).chain(withAxis), ([t, axis]) => {
      const repeated = repeat(t, { repeats: 3, axis });
      for (const index of indicesOf(repeated.shape)) {
        expect(elementAt(repeated, index)).to.deep.equal(
          elementAt(
            t,
            index.map((i, k) => (k === axis ? Math.floor(i / 3) : i)),
          ),
        );
      }
    });
  });

  it('may give nothing, and refuse negative counts', () => {
    expect([tile(tensor([1]), { reps: 0 }).shape, repeat(tensor([1]), { repeats: 0, axis: 0 }).shape]).to.deep.equal([[0], [0]]);
    expect(() => tile(tensor([1]), { reps: [2, -1] }))
      .to.throw(EinstreamError, /-1/)
      .with.property('code', 'E_SHAPE');
    expect(() => repeat(tensor([1]), { repeats: -1, axis: 0 }))
      .to.throw(EinstreamError)
      .with.property('code', 'E_SHAPE');
    expect(() => repeat(tensor(1), { repeats: 2, axis: 0 }))
      .to.throw(EinstreamError, /rank 0/)
      .with.property('code', 'E_SHAPE');
  });
});

describe('take', () => {
  it('puts the axes of the indices in the place of the axis; negative indices count from the end', () => {
    const x = reshape(arange(6), { shape: [2, 3] });
    expect(take(x, ints(1, -2)).toArray()).to.deep.equal([
      [3, 4, 5],
      [0, 1, 2],
    ]);
    expect(take(x, tensorOver(Int32Array.of(2, 0, 0, 1), 'int32', [2, 2]), { axis: -1 }).toArray()).to.deep.equal([
      [
        [2, 0],
        [0, 1],
      ],
      [
        [5, 3],
        [3, 4],
      ],
    ]);
    expect(take(x, tensor(1, { dtype: 'int32' })).toArray()).to.deep.equal([3, 4, 5]);
    expect(gather).to.equal(take);
  });

  it('refuses an index that is not there, naming it and the size, and never gives NaN for it (G12)', () => {
    for (const index of [3, -4, 2 ** 31 - 1, -(2 ** 31)]) {
      expect(() => take(tensor([1, 2, 3]), ints(0, index)), String(index))
        .to.throw(EinstreamError, new RegExp(`axis 0.*from -3 to 2, got ${index}`))
        .with.property('code', 'E_SHAPE');
    }
    expect(() => take(tensorOver(new Float32Array(0), 'float32', [0]), ints(0)))
      .to.throw(EinstreamError)
      .with.property('code', 'E_SHAPE');
    for (const indices of [tensor([NaN]), tensor([0.5]), tensor([true])])
      expect(() => take(tensor([1]), indices))
        .to.throw(EinstreamError, /int32/)
        .with.property('code', 'E_DTYPE');
    expect(() => take(tensor(1), ints(0)))
      .to.throw(EinstreamError, /rank 0/)
      .with.property('code', 'E_SHAPE');
  });
});
