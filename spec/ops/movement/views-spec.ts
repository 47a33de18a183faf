/** @file Movement that copies nothing: the result is another view of the same buffer. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../../src/errors/index.js';
import { broadcastTo, expandDims, flip, reshape, slice, squeeze, sum, transpose, unsqueeze } from '../../../src/ops/index.js';
import { ops } from '../../../src/ops/registry.js';
import { tensor } from '../../../src/tensor/create.js';
import { arange } from '../../../src/tensor/fill.js';
import { tensorOver, type Tensor } from '../../../src/tensor/tensor.js';
import { at, ellipsis, newaxis, range, reversed } from '../../../src/tensor/view/specs.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { anyTensor, elementAt, indicesOf } from '../anyTensor.js';

const x = reshape(arange(24), { shape: [2, 3, 4] });
const property = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, holds), { seed: propertySeed(), numRuns: propertyRuns(200, 2000, 50_000) });

const VIEWS: Readonly<Record<string, (t: Tensor) => Tensor>> = {
  slice: (t) => slice(t, at(1), range(0, 2), reversed),
  transpose: (t) => transpose(t, { perm: [1, 2, 0] }),
  reshape: (t) => reshape(t, { shape: [4, -1] }),
  broadcastTo: (t) => broadcastTo(t, { shape: [5, 2, 3, 4] }),
  squeeze: (t) => squeeze(unsqueeze(t, { axis: 0 })),
  unsqueeze: (t) => unsqueeze(t, { axis: [0, -1] }),
  flip: (t) => flip(t, { axis: [0, 2] }),
};

describe('a view op', () => {
  for (const [name, view] of Object.entries(VIEWS)) {
    it(`${name} copies no byte: the buffer is shared (F097)`, () => {
      expect(view(x).buffer).to.equal(x.buffer);
    });
  }

  it('shows what is written through its base (F097)', () => {
    const base = tensor([1, 2, 3, 4]);
    const seen = slice(base, range(1, 3));
    (base.buffer.array as Float32Array)[2] = 30;
    expect(seen.toArray()).to.deep.equal([2, 30]);
  });

  it('shows elements of storage dtypes too, in their own dtype', () => {
    const big = tensor(BigInt64Array.of(1n, 2n, 3n));
    expect(slice(big, at(-1)).toArray()).to.equal(3n);
    expect([reshape(big, { shape: [3, 1] }).dtype, flip(tensor(Int8Array.of(1, 2))).dtype]).to.deep.equal(['int64', 'int8']);
  });

  it('is read by other ops where it lies (F097)', () => {
    expect(sum(slice(x, at(1), null, range(null, null, 2)), { axis: 1 }).toArray()).to.deep.equal([26, 34, 42]);
  });
});

describe('transpose', () => {
  it('turns the axes around, or puts axis perm[k] at k (N9)', () => {
    property(
      anyTensor().chain((t) => fc.tuple(fc.constant(t), fc.shuffledSubarray([...t.shape.keys()], { minLength: t.rank }))),
      ([t, perm]) => {
        const turned = transpose(t, { perm });
        for (const index of indicesOf(t.shape))
          expect(
            elementAt(
              turned,
              perm.map((axis) => index[axis]),
            ),
          ).to.deep.equal(elementAt(t, index));
        expect(transpose(transpose(t)).toArray()).to.deep.equal(t.toArray());
      },
    );
  });

  it('refuses a perm that misses or repeats an axis', () => {
    for (const perm of [
      [0, 1],
      [0, 1, 1],
      [0, 1, 3],
      [0, 1, 2, 3],
    ])
      expect(() => transpose(x, { perm }))
        .to.throw(EinstreamError)
        .with.property('code', 'E_SHAPE');
  });
});

describe('reshape', () => {
  it('keeps the elements in row-major order, whatever the layout; -1 is what is left (N9)', () => {
    property(anyTensor({ minSize: 1 }), (t) => {
      for (const shape of [[-1], [t.size], [1, -1, 1], [...t.shape].reverse(), [-1, ...t.shape]]) {
        expect([...reshape(t, { shape }).data]).to.deep.equal([...t.data]);
      }
    });
  });

  it('makes a scalar [1], and refuses what cannot hold the elements, naming both shapes', () => {
    expect(reshape(tensor(5), { shape: [-1] }).shape).to.deep.equal([1]);
    expect(() => reshape(x, { shape: [5, 5] }))
      .to.throw(EinstreamError, /24 elements, as shape \[2, 3, 4\], got shape \[5, 5\]/)
      .with.property('code', 'E_SHAPE');
    for (const shape of [[-1, -1], [-2, -12], [0], [0, -1], [7, -1], [null, null]])
      expect(() => reshape(x, { shape }), String(shape))
        .to.throw(EinstreamError)
        .with.property('code', 'E_SHAPE');
    expect(reshape(x, { shape: [null, 12] }).shape).to.deep.equal([2, 12]);
    expect(() => reshape(x))
      .to.throw(EinstreamError, /shape/)
      .with.property('code', 'E_ARGUMENT');
  });
});

describe('broadcastTo', () => {
  it('stretches size 1 and missing axes; null keeps a size', () => {
    expect(broadcastTo(tensor([[1], [2]]), { shape: [null, 3] }).toArray()).to.deep.equal([
      [1, 1, 1],
      [2, 2, 2],
    ]);
    expect(broadcastTo(tensor([[1], [2]]), { shape: [2, null, 3] }).shape).to.deep.equal([2, 2, 3]);
    expect(() => broadcastTo(x, { shape: [3, 4] })).to.throw(EinstreamError, /rank must not shrink/);
    expect(() => broadcastTo(x, { shape: [2, 3, 5] }))
      .to.throw(EinstreamError, /axis 2/)
      .with.property('code', 'E_SHAPE');
    expect(() => broadcastTo(tensor(1), { shape: [null] }))
      .to.throw(EinstreamError)
      .with.property('code', 'E_SHAPE');
    expect(broadcastTo(tensorOver(new Float32Array(0), 'float32', [0, 1]), { shape: [0, 5] }).shape).to.deep.equal([0, 5]);
  });
});

describe('squeeze and unsqueeze', () => {
  it('undo each other', () => {
    property(
      anyTensor().chain((t) => fc.tuple(fc.constant(t), fc.integer({ min: -t.rank - 1, max: t.rank }))),
      ([t, axis]) => {
        expect(squeeze(unsqueeze(t, { axis }), { axis }).toArray()).to.deep.equal(t.toArray());
      },
    );
    expect(expandDims).to.equal(unsqueeze);
    expect(ops['expand_dims']).to.equal(unsqueeze);
  });

  it('refuse an axis that is not 1, or not there', () => {
    expect(() => squeeze(x, { axis: 1 }))
      .to.throw(EinstreamError, /axis 1 must have size 1; got size 3/)
      .with.property('code', 'E_SHAPE');
    expect(() => unsqueeze(x, { axis: 5 }))
      .to.throw(EinstreamError, /axis 5/)
      .with.property('code', 'E_SHAPE');
    expect(() => unsqueeze(x))
      .to.throw(EinstreamError)
      .with.property('code', 'E_ARGUMENT');
  });
});

describe('slice', () => {
  it('takes its specs one by one or as a parameter, as a graph stores them (F098)', () => {
    const specs = [ellipsis, newaxis, range(3, 0, -2)];
    const stored = JSON.parse(JSON.stringify({ specs })) as { specs: typeof specs };
    expect(slice(x, ...specs).toArray()).to.deep.equal(slice(x, stored).toArray());
    expect(ops['slice'](x, stored)).to.have.deep.property('shape', [2, 3, 1, 2]);
    expect(slice(x).shape).to.deep.equal([2, 3, 4]);
  });

  it('refuses what is out of range and what is no spec, never reading beyond (G12)', () => {
    for (const spec of [at(2), at(-3), at(NaN), at(0.5), at(Infinity), range(null, null, 0), range(0.5, null), range(0, NaN)]) {
      expect(() => slice(x, spec), JSON.stringify(spec))
        .to.throw(EinstreamError)
        .with.property('code', 'E_SHAPE');
    }
    expect(() => slice(x, 1 as unknown as null))
      .to.throw(EinstreamError, /write at\(1\)/)
      .with.property('code', 'E_ARGUMENT');
    expect(() => slice(x, null, null, null, null))
      .to.throw(EinstreamError, /no more specs than axes/)
      .with.property('code', 'E_SHAPE');
    expect(slice(x, range(-99, 99), range(5, null), range(null, null, 2 ** 40)).shape).to.deep.equal([2, 0, 1]);
  });
});

describe('flip', () => {
  it('turns axes around, all where none is named', () => {
    expect(
      flip(
        tensor([
          [1, 2],
          [3, 4],
        ]),
      ).toArray(),
    ).to.deep.equal([
      [4, 3],
      [2, 1],
    ]);
    expect(() => flip(x, { axis: 3 }))
      .to.throw(EinstreamError, /axis 3/)
      .with.property('code', 'E_SHAPE');
    expect(flip(tensor(1)).toArray()).to.equal(1);
  });
});
