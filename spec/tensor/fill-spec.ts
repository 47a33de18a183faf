import { expect } from 'chai';
import fc from 'fast-check';
import { arange, eye, full, ones, zeros } from '../../src/tensor/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { BAD_SHAPES, expectRefusal } from './refusals.js';

describe('zeros, ones and full', () => {
  it('hold one value, in float32 unless asked', () => {
    expect(zeros([2, 2]).toArray()).to.deep.equal([
      [0, 0],
      [0, 0],
    ]);
    expect(ones([2], { dtype: 'bool' }).toArray()).to.deep.equal([true, true]);
    expect(zeros([1], { dtype: 'float16' }).dtype).to.equal('float16');
    expect([zeros([]), ones([0, 3]), full([2], 7)].map((t) => [t.dtype, t.size])).to.deep.equal([
      ['float32', 1],
      ['float32', 0],
      ['float32', 2],
    ]);
  });

  it('full takes the dtype of the value, or converts it (N4)', () => {
    expect(full([2], true).dtype).to.equal('bool');
    expect(full([2], 3n).toArray()).to.deep.equal([3n, 3n]);
    expect(full([1], 300, { dtype: 'uint8' }).toArray()).to.deep.equal([255]);
    expectRefusal(() => full([2], '1' as unknown as number), 'E_ARGUMENT', /must be a number, a boolean or a bigint; got "1"/);
    expectRefusal(() => ones([2], { dtype: 'float16' }), 'E_DTYPE');
  });

  for (const [title, shape, codes] of BAD_SHAPES) {
    it(`refuse the shape ${title} before they allocate (G4)`, () => {
      const before = process.memoryUsage().arrayBuffers;
      expectRefusal(() => zeros(shape as number[]), codes, /^"zeros shape"/);
      expectRefusal(() => ones(shape as number[]), codes, /^"ones shape"/);
      expectRefusal(() => full(shape as number[], 1), codes, /^"full shape"/);
      expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(2 ** 20);
    });
  }
});

describe('arange', () => {
  it('goes from start up to but without stop', () => {
    expect(arange(4).toArray()).to.deep.equal([0, 1, 2, 3]);
    expect(arange(1, 3).toArray()).to.deep.equal([1, 2]);
    expect(arange(0, 1, 0.25).toArray()).to.deep.equal([0, 0.25, 0.5, 0.75]);
    expect(arange(5, 0, -2, { dtype: 'int32' }).toArray()).to.deep.equal([5, 3, 1]);
    expect(arange(3, { dtype: 'int64' }).toArray()).to.deep.equal([0n, 1n, 2n]);
    expect([arange(0), arange(-3), arange(2, 1), arange(1, 2, -1)].map((t) => t.shape)).to.deep.equal([[0], [0], [0], [0]]);
  });

  it('has as many elements as fit, each start + i·step (NumPy)', () => {
    const number = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(number, number, number, (start, stop, step) => {
        fc.pre(step !== 0);
        const expected: number[] = [];
        for (let x = start; step > 0 ? x < stop : x > stop; x += step) expected.push(x);
        expect(arange(start, stop, step, { dtype: 'float64' }).toArray()).to.deep.equal(expected);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 1_000, 10_000) },
    );
  });

  it('refuses a step of 0, what is no number, and too many elements (G11)', () => {
    expectRefusal(() => arange(0, 1, 0), 'E_ARGUMENT', /step must not be 0/);
    for (const stop of [NaN, Infinity, '3', null]) expectRefusal(() => arange(stop as number), 'E_ARGUMENT', /finite numbers/);
    expectRefusal(() => (arange as () => unknown)(), 'E_ARGUMENT');
    expectRefusal(() => arange(2 ** 31), 'E_LIMIT');
    expectRefusal(() => arange(0, 1, 1e-300), 'E_LIMIT');
    expectRefusal(() => arange(0, 1e308, 1e-10), 'E_SHAPE');
  });
});

describe('eye', () => {
  it('is the identity, or a part of one', () => {
    expect(eye(2).toArray()).to.deep.equal([
      [1, 0],
      [0, 1],
    ]);
    expect(eye(2, { columns: 3, dtype: 'int32' }).toArray()).to.deep.equal([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(eye(3, { columns: 2 }).toArray()).to.deep.equal([
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    expect([eye(0), eye(2, { columns: 0 })].map((t) => t.shape)).to.deep.equal([
      [0, 0],
      [2, 0],
    ]);
    expectRefusal(() => eye(-1), 'E_SHAPE', /^"eye shape"/);
  });
});
