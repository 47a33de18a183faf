/** @file softmax, its logarithm and layer normalisation. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../src/errors/index.js';
import { layerNorm, logSoftmax, reshape, softmax, transpose } from '../../src/ops/index.js';
import { ops } from '../../src/ops/registry.js';
import { arange } from '../../src/tensor/fill.js';
import { tensor } from '../../src/tensor/create.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const doubles = (...values: number[]) => tensor(Float64Array.from(values));
const list = (x: Tensor) => [...x.data].map(Number);
const runs = { numRuns: propertyRuns(200, 2000, 50_000) };
const finite = fc.array(fc.double({ min: -700, max: 700, noNaN: true }), { minLength: 1, maxLength: 8 });

describe('softmax', () => {
  it('sums to 1, does not care for a shift, and is the exponential of logSoftmax', () => {
    fc.assert(
      fc.property(finite, fc.integer({ min: -1000, max: 1000 }), (values, shift) => {
        const y = list(softmax(doubles(...values)));
        expect(y.reduce((total, x) => total + x, 0)).to.be.closeTo(1, 1e-12);
        list(softmax(doubles(...values.map((x) => x + shift)))).forEach((x, i) => expect(x).to.be.closeTo(y[i], 1e-10));
        list(logSoftmax(doubles(...values))).forEach((x, i) => expect(Math.exp(x)).to.be.closeTo(y[i], 1e-12));
      }),
      { seed: propertySeed(), ...runs },
    );
  });

  it('gives NaN only where nothing is left to choose from, or ∞ or NaN is fed (N2)', () => {
    const rows: readonly (readonly [readonly number[], readonly number[], readonly number[]])[] = [
      [
        [-Infinity, -Infinity],
        [NaN, NaN],
        [NaN, NaN],
      ],
      [
        [-Infinity, 0],
        [0, 1],
        [-Infinity, 0],
      ],
      [
        [1e308, -1e308],
        [1, 0],
        [0, -Infinity],
      ],
      [
        [1e4, 1e4],
        [0.5, 0.5],
        [-Math.LN2, -Math.LN2],
      ],
      [
        [-1e308, -1e308],
        [0.5, 0.5],
        [-Math.LN2, -Math.LN2],
      ],
      [
        [NaN, 0],
        [NaN, NaN],
        [NaN, NaN],
      ],
      [
        [Infinity, 0],
        [NaN, NaN],
        [NaN, NaN],
      ],
    ];
    for (const [values, soft, log] of rows) {
      expect(list(softmax(doubles(...values))), String(values)).to.deep.equal(soft);
      expect(list(logSoftmax(doubles(...values))), String(values)).to.deep.equal(log);
    }
  });

  it('works along any axes of any layout; the last by default (N9)', () => {
    const x = reshape(arange(6, { dtype: 'float64' }), { shape: [2, 3] });
    expect(list(softmax(transpose(x), { axis: 0 }))).to.deep.equal(list(transpose(softmax(x))));
    expect(list(softmax(x, { axis: [0, 1] }))).to.deep.equal(list(softmax(arange(6, { dtype: 'float64' }))));
    expect(list(softmax(x, { axis: null }))).to.deep.equal(list(softmax(x, { axis: [-1, 0] })));
    expect(softmax(tensor(Int32Array.of(1, 1))).dtype).to.equal('float32');
  });

  it('refuses an axis that is not there, and any axis of a scalar (G11)', () => {
    expect(() => softmax(tensor([1]), { axis: 1 }))
      .to.throw(EinstreamError, /axis 1 .*rank 1/)
      .with.property('code', 'E_SHAPE');
    expect(() => logSoftmax(tensor(1)))
      .to.throw(EinstreamError, /rank 0/)
      .with.property('code', 'E_SHAPE');
  });
});

describe('layerNorm', () => {
  const cube = reshape(arange(24, { dtype: 'float64' }), { shape: [2, 3, 4] });

  it('gives each group mean 0 and variance 1', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 9 }), (values) => {
        fc.pre(new Set(values).size > 1);
        const y = list(layerNorm(doubles(...values), { eps: 0 }));
        expect(y.reduce((total, x) => total + x, 0) / y.length).to.be.closeTo(0, 1e-12);
        expect(y.reduce((total, x) => total + x * x, 0) / y.length).to.be.closeTo(1, 1e-12);
      }),
      { seed: propertySeed(), ...runs },
    );
  });

  it('lays weight and bias along the normalised axes, wherever they are', () => {
    const [weight, bias] = [doubles(1, 2, 3), doubles(10, 20, 30)];
    const along = layerNorm(cube, weight, bias, { axes: [1] });
    const turned = layerNorm(transpose(cube, { perm: [0, 2, 1] }), weight, bias);
    expect(list(along)).to.deep.equal(list(transpose(turned, { perm: [0, 2, 1] })));
    const outer = reshape(arange(8, { dtype: 'float64' }), { shape: [2, 4] });
    const split = layerNorm(cube, outer, { axes: [0, -1] });
    const joined = layerNorm(transpose(cube, { perm: [1, 0, 2] }), outer, { axes: [1, 2] });
    expect(list(split)).to.deep.equal(list(transpose(joined, { perm: [1, 0, 2] })));
  });

  it('refuses a weight that would lie along other axes, or make x larger', () => {
    const square = tensorOver(new Float32Array(8), 'float32', [2, 2, 2]);
    expect(() => ops['layerNorm'](square, tensor([1, 2]), { axes: [1] })).to.throw(
      EinstreamError,
      /along the normalised axes.*reaches axis 1/,
    );
    expect(() => layerNorm(tensor([[1], [2]]), tensor([1, 2])))
      .to.throw(EinstreamError, /along the normalised axes/)
      .with.property('code', 'E_SHAPE');
    expect(() => layerNorm(cube, doubles(1, 2, 3)))
      .to.throw(EinstreamError, /axis/)
      .with.property('code', 'E_SHAPE');
  });

  it('gives the bias alone where all elements are equal, and NaN where eps is 0 too (G11)', () => {
    expect(list(layerNorm(tensor([3, 3]), tensor([2, 2]), tensor([5, 6])))).to.deep.equal([5, 6]);
    expect(list(layerNorm(tensor([3, 3]), { eps: 0 }))).to.deep.equal([NaN, NaN]);
    expect(() => layerNorm(tensor(3)))
      .to.throw(EinstreamError, /rank 0/)
      .with.property('code', 'E_SHAPE');
    expect(() => layerNorm(tensor([3]), { axes: 'x' as unknown as number }))
      .to.throw(EinstreamError, /axes/)
      .with.property('code', 'E_ARGUMENT');
  });
});
