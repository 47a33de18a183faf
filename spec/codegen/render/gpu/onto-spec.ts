/** @file Passes that write a part of a buffer on the device, and keep the rest. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { NestIR } from '../../../../src/codegen/ir.js';
import { renderOnto, type Whole } from '../../../../src/codegen/render/gpu/onto.js';
import { s } from '../../../../src/ops/scalar.js';
import { rowMajorStrides } from '../../../../src/tensor/shape.js';
import { propertyRuns } from '../../../support/property.js';
import { runGpu } from '../../../support/runGpu.js';

/** A copy of a row-major tensor to these places. */
const copy = (extents: readonly number[], strides: readonly number[], offset: number): NestIR => ({
  kind: 'nest',
  extents,
  outer: extents.length,
  inputs: [{ dtype: 'float32', strides: rowMajorStrides(extents), offset: 0 }],
  folds: [],
  result: s.operand(0),
  emits: 'group',
  output: { dtype: 'float32', strides, offset },
});

const whole = (length: number, before: Whole['before'] = 'single'): Whole => ({ length, offset: 0, before });

/** Sizes of a tensor, and for each axis the window that is written: where it begins, its step and its size. */
const anyWindow = fc.array(
  fc
    .record({ start: fc.nat(2), size: fc.integer({ min: 1, max: 4 }), step: fc.constantFrom(1, 1, 2, 3), isReversed: fc.boolean(), rest: fc.nat(2) })
    .map((each) => ({ ...each, extent: each.start + (each.size - 1) * each.step + 1 + each.rest })),
  { maxLength: 4 },
); // prettier-ignore

describe('passes that write a part of a buffer', () => {
  it('write where the kernel would, and keep what lies elsewhere', () => {
    fc.assert(
      fc.property(anyWindow, fc.constantFrom<Whole['before']>('single', 'tiled', 'nothing'), (axes, before) => {
        const steps = rowMajorStrides(axes.map(({ extent }) => extent));
        const length = axes.reduce((product, { extent }) => product * extent, 1);
        const strides = axes.map(({ step, isReversed }, axis) => (isReversed ? -step : step) * steps[axis]);
        const first = axes.map(({ start, size, step, isReversed }) => (isReversed ? start + (size - 1) * step : start));
        const offset = first.reduce((sum, at, axis) => sum + at * steps[axis], 0);
        const extents = axes.map(({ size }) => size);
        const count = extents.reduce((product, extent) => product * extent, 1);
        const x = Float32Array.from({ length: count }, (_, at) => at + 1);
        const old = Float32Array.from({ length }, (_, at) => (before === 'nothing' ? 0 : -at - 1));

        const want = old.slice();
        const own = rowMajorStrides(extents);
        x.forEach((value, at) => {
          const place = extents.reduce((sum, extent, k) => sum + (Math.floor(at / own[k]) % extent) * strides[k], offset);
          want[place] = value;
        });
        const pass = renderOnto(copy(extents, strides, offset), [], whole(length, before));
        expect(pass?.isTiled).to.equal(false);
        expect(Array.from(runGpu([pass!], [x], old))).to.deep.equal(Array.from(want));
      }),
      { numRuns: propertyRuns(200, 2_000, 20_000) },
    );
  });

  it('are none where elements lie on the host, share places, or are too many', () => {
    const row = copy([2, 3], [3, 1], 6);
    expect(renderOnto(row, [], whole(12))).to.not.equal(undefined);
    expect(renderOnto(row, [], whole(12, 'host'))).to.equal(undefined);
    expect(renderOnto(row, [], whole(2 ** 22 + 1))).to.equal(undefined);
    expect(renderOnto(copy([2, 3], [2, 1], 0), [], whole(12))).to.equal(undefined);
    expect(renderOnto({ ...row, folds: [{ monoid: 'sum', value: s.operand(0) }] }, [], whole(12))).to.equal(undefined);
  });
});
