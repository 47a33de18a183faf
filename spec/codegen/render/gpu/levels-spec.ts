/** @file Folds in two levels: every term is folded once, by threads that each fold a few. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { NestFold, NestIR } from '../../../../src/codegen/ir.js';
import { renderGpu } from '../../../../src/codegen/render/gpu.js';
import { stretchesOf } from '../../../../src/codegen/render/gpu/levels.js';
import { s } from '../../../../src/ops/scalar.js';
import { rowMajorStrides } from '../../../../src/tensor/shape.js';
import { propertyRuns } from '../../../support/property.js';
import { runGpu } from '../../../support/runGpu.js';

const count = (extents: readonly number[]): number => extents.reduce((product, extent) => product * extent, 1);

const SUM: readonly NestFold[] = [{ monoid: 'sum', value: s.operand(0) }];
/** The largest, and the first position that holds it. */
const ARGMAX: readonly NestFold[] = [
  { monoid: 'max', value: s.operand(0) },
  { monoid: 'min', value: s.select(s.eq(s.operand(0), s.fold(0)), s.position, Infinity) },
];

/** Folds of the last axes of a row-major tensor, one result for each index of the others. */
function folded(extents: readonly number[], outer: number, folds: readonly NestFold[]): NestIR {
  const none = extents.slice(outer).map(() => 0);
  return {
    kind: 'nest',
    extents,
    outer,
    inputs: [{ dtype: 'float32', strides: rowMajorStrides(extents), offset: 0 }],
    folds,
    result: s.fold(folds.length - 1),
    emits: 'group',
    output: { dtype: 'float32', strides: [...rowMajorStrides(extents.slice(0, outer)), ...none], offset: 0 },
  };
}

/** What the folds of all groups are, by a plain loop. */
function expected({ extents, outer, folds }: NestIR, x: Float32Array): readonly number[] {
  const terms = count(extents.slice(outer));
  return Array.from({ length: count(extents.slice(0, outer)) }, (_, group) => {
    const own = x.subarray(group * terms, (group + 1) * terms);
    return folds === ARGMAX ? own.indexOf(own.reduce((a, b) => Math.max(a, b))) : own.reduce((a, b) => a + b, 0);
  });
}

const numbers = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => ((i * 7919) % 251) - 90);

describe('folds of gpu kernels in two levels', () => {
  it('are those of more than 4096 terms, and shorter ones where there are few groups', () => {
    const isParted = (extents: readonly number[], outer: number): boolean =>
      stretchesOf(folded(extents, outer, SUM)) !== undefined;
    expect(isParted([1000], 0)).to.equal(false);
    expect(isParted([1024], 0)).to.equal(true);
    expect(isParted([1024, 4096], 1)).to.equal(false);
    expect(isParted([1024, 4097], 1)).to.equal(true);
    expect(isParted([4096], 1)).to.equal(false);
  });

  it('leave no thread more than 4096 terms, as long as addresses are exact', () => {
    const extents = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(extents, fc.nat(1), (given, outer) => {
        fc.pre(given.length > outer && count(given) < 2 ** 24);
        const parted = stretchesOf(folded(given, outer, SUM));
        if (parted === undefined) return;
        const { axis, length, along } = parted;
        expect(length * count(given.slice(axis + 1))).to.be.at.most(4096);
        expect(length * along).to.be.at.least(given[axis]);
        expect((length - 1) * along).to.be.below(given[axis]);
      }),
      { numRuns: propertyRuns(100, 3_000, 30_000) },
    );
  });

  it('fold every term once, in whatever axes, with and without a rest', () => {
    const cases: readonly (readonly [extents: readonly number[], outer: number])[] = [
      [[5000], 0],
      [[5003], 0],
      [[3, 2100], 1],
      [[2, 40, 60], 1],
      [[7, 11, 13, 17], 0],
      [[256, 4099], 1],
      [[16, 16, 4100], 2],
    ];
    for (const [extents, outer] of cases)
      for (const folds of [SUM, ARGMAX]) {
        const ir = folded(extents, outer, folds);
        const { passes } = renderGpu(ir);
        const x = numbers(count(extents));
        expect(passes, String(extents)).to.have.length(folds.length * 2);
        expect(Array.from(runGpu(passes, [x])), String(extents)).to.deep.equal(expected(ir, x));
      }
  });

  it('are of three levels where two would leave threads too much', () => {
    const ir = folded([4100, 2048], 0, [{ monoid: 'max', value: s.operand(0) }]);
    // A broadcast operand: the terms are many, the elements few.
    const { passes } = renderGpu({ ...ir, inputs: [{ dtype: 'float32', strides: [1, 0], offset: 0 }] });
    expect(passes.map(({ length }) => length)).to.deep.equal([4100, 2, 1]);
    const x = Float32Array.from({ length: 4100 }, (_, i) => i % 4099);
    expect(Array.from(runGpu(passes, [x]))).to.deep.equal([4098]);
  });
});
