import { expect } from 'chai';
import fc from 'fast-check';
import { extent, forEachRun, isRowMajor, rowMajorLayout, type Layout } from '../../src/tensor/layout.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { count, indices } from './model.js';

const layouts: fc.Arbitrary<Layout> = fc
  .array(fc.tuple(fc.nat(4), fc.integer({ min: -9, max: 9 })), { maxLength: 5 })
  .chain((axes) =>
    fc.nat(20).map((offset) => ({ shape: axes.map(([size]) => size), strides: axes.map(([, stride]) => stride), offset })),
  );
const addressesOf = ({ shape, strides, offset }: Layout): number[] =>
  indices(shape).map((index) => index.reduce((address, i, axis) => address + i * strides[axis], offset));
const check = (holds: (layout: Layout) => void): void =>
  fc.assert(fc.property(layouts, holds), { seed: propertySeed(), numRuns: propertyRuns(500, 2_000, 50_000) });

describe('layouts', () => {
  it('walk every element once, in row-major order, run by run', () => {
    check((layout) => {
      const walked: number[] = [];
      forEachRun(layout, count(layout.shape), (address, stride, length, position) => {
        expect(position).to.equal(walked.length);
        for (let i = 0; i < length; i++) walked.push(address + i * stride);
      });
      expect(walked).to.deep.equal(addressesOf(layout));
    });
  });

  it('reach from the lowest address to one past the highest, or nowhere', () => {
    check((layout) => {
      const all = addressesOf(layout);
      const { from, to } = extent(layout);
      expect([from, to]).to.deep.equal(
        all.length === 0 ? [layout.offset, layout.offset] : [Math.min(...all), Math.max(...all) + 1],
      );
    });
  });

  it('are row-major where the addresses lie in a row', () => {
    check((layout) => {
      const all = addressesOf(layout);
      expect(isRowMajor(layout.shape, layout.strides, all.length)).to.equal(
        all.length <= 1 || all.every((address, i) => address === layout.offset + i),
      );
    });
    const plain = rowMajorLayout([2, 3]);
    expect(plain).to.deep.equal({ shape: [2, 3], strides: [3, 1], offset: 0 });
  });
});
