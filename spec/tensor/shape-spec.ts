import { expect } from 'chai';
import fc from 'fast-check';
import {
  formatShape,
  MAX_ELEMENTS,
  MAX_RANK,
  numElements,
  readShape,
  rowMajorStrides,
  sameShape,
} from '../../src/tensor/shape.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { count, indices } from './model.js';
import { BAD_SHAPES, expectRefusal } from './refusals.js';

describe('numElements', () => {
  it('multiplies the sizes; a scalar has one element, a size of 0 leaves none', () => {
    expect([[], [0], [7], [2, 3, 4], [5, 0, 3], [1, 1]].map((shape) => numElements(shape))).to.deep.equal([1, 0, 7, 24, 0, 1]);
  });

  it('allows exactly the limit, with zeros and ones beside it', () => {
    expect(numElements([MAX_ELEMENTS])).to.equal(2 ** 31 - 1);
    expect(numElements([1, MAX_ELEMENTS, 0])).to.equal(0);
    expect(numElements([3, 4], 12)).to.equal(12);
    expectRefusal(() => numElements([3, 4], 11), 'E_LIMIT', /at most 11 elements, got shape \[3, 4\]/);
    expect(numElements(new Array<number>(MAX_RANK).fill(1))).to.equal(1);
  });

  for (const [title, shape, codes] of BAD_SHAPES) {
    it(`refuses ${title} (G4)`, () => {
      // A size that is no number comes first through readShape; the count itself must hold all the same.
      expectRefusal(() => numElements(shape as number[]), ['E_SHAPE', 'E_LIMIT']);
      expectRefusal(() => readShape(shape), codes);
    });
  }

  it('is the product wherever that is small enough, and never a wrong number (G4)', () => {
    const sizes = fc.array(fc.oneof(fc.nat(9), fc.nat(2 ** 31), fc.maxSafeNat()), { maxLength: 6 });
    fc.assert(
      fc.property(sizes, (shape) => {
        const exact = shape.filter((size) => size > 0).reduce((product, size) => product * BigInt(size), 1n);
        if (exact > BigInt(MAX_ELEMENTS)) expectRefusal(() => numElements(shape), 'E_LIMIT');
        else expect(numElements(shape)).to.equal(shape.includes(0) ? 0 : Number(exact));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(1_000, 5_000, 100_000) },
    );
  });
});

describe('readShape', () => {
  it('copies once and freezes, so that what was checked is what is used (G13)', () => {
    let reads = 0;
    const sly = new Proxy([2, 3], {
      get: (target, key) => (key === '0' ? (reads++ === 0 ? 2 : -5) : (Reflect.get(target, key) as unknown)),
    });
    const shape = readShape(sly);
    expect([...shape]).to.deep.equal([2, 3]);
    expect(reads).to.equal(1);
    expect(Object.isFrozen(shape)).to.equal(true);
  });

  it('takes −0 for 0', () => {
    expect(Object.is(readShape([-0])[0], 0)).to.equal(true);
  });

  it('refuses what is no array, and a length that would never end', () => {
    for (const value of [3, '3', null, { 0: 1, length: 1 }, new Float32Array(1)])
      expectRefusal(() => readShape(value, 'w'), 'E_SHAPE', /^"w": must be a list of integers/);
    expectRefusal(() => readShape(new Array<number>(2 ** 32 - 1)), 'E_LIMIT', /number of axes/);
  });

  it('names the axis and the value', () => {
    expectRefusal(() => readShape([2, '3']), 'E_SHAPE', /axis 1 must be an integer; got "3"/);
    expectRefusal(() => readShape([2, -3]), 'E_SHAPE', /axis 1 must be an integer ≥ 0; got -3/);
  });
});

describe('rowMajorStrides', () => {
  it('put elements one after another in row-major order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 5 }), (shape) => {
        const strides = rowMajorStrides(shape);
        const addresses = indices(shape).map((index) => index.reduce((sum, i, axis) => sum + i * strides[axis], 0));
        expect(addresses).to.deep.equal([...Array(count(shape)).keys()]);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 1_000, 10_000) },
    );
  });
});

describe('sameShape and formatShape', () => {
  it('compare and print sizes by axis', () => {
    expect(sameShape([2, 3], [2, 3])).to.equal(true);
    expect(sameShape([2, 3], [2, 3, 1])).to.equal(false);
    expect(sameShape([], [])).to.equal(true);
    expect(formatShape([2, 'n', null])).to.equal('[2, n, ?]');
  });
});
