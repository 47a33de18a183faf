/** @file Kernels in parts give the bits of the whole, however they are cut. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { KernelIR } from '../../../../src/codegen/ir.js';
import { lowerStep } from '../../../../src/codegen/lower/contraction.js';
import type { Monoid } from '../../../../src/ops/op.js';
import { s } from '../../../../src/ops/scalar.js';
import type { ComputedDType } from '../../../../src/tensor/dtype.js';
import { rowMajorStrides } from '../../../../src/tensor/shape.js';
import { anyNestOver } from '../../../support/anyNest.js';
import { lying, tensorLike } from '../../../support/anyLayout.js';
import { contractionOf } from '../../../support/contractions.js';
import { propertyRuns, propertySeed } from '../../../support/property.js';
import { allowRelaxedSimd, forbidRelaxedSimd } from '../../../support/relaxedSimd.js';
import { TARGETS } from '../../../support/runWasm.js';
import { FLAT, inPartsKit } from '../../../support/inParts.js';

/** Sizes around vectors, blocks and grains, few elements in all. */
const sizes = fc.array(fc.constantFrom(1, 2, 3, 5, 8, 17, 32, 33, 48, 64, 100, 130), { maxLength: 4 }).map((extents) => {
  let count = 1;
  return extents.map((extent) => {
    const kept = count * extent > 6000 ? 2 : extent;
    count *= kept;
    return kept;
  });
});

const SPECS = [
  'ij,jk->ik',
  'ij,kj->ik',
  'ji,jk->ki',
  'bij,bjk->bik',
  'bij,jk->bik',
  'ij,j->i',
  'i,ij->j',
  'bi,bi->b',
  'bij,bj->bi',
];

const anyProduct = fc
  .record({
    spec: fc.constantFrom(...SPECS),
    b: fc.constantFrom(1, 2, 3, 8),
    i: fc.constantFrom(1, 2, 4, 7, 12, 31, 32, 33, 64, 96, 128),
    j: fc.constantFrom(1, 2, 5, 64, 256, 257, 300, 520),
    k: fc.constantFrom(1, 4, 16, 30, 64, 100, 128, 200),
  })
  .chain(({ spec, ...sizesOf }) => {
    const contraction = contractionOf(spec, sizesOf);
    const given = spec.split('->')[0].split(',').map((term) => [...term].map((letter) => sizesOf[letter as 'i'])); // prettier-ignore
    const dtype = fc.constant<ComputedDType>('float32');
    return fc.tuple(...given.map((shape) => tensorLike(shape, dtype))).map((inputs) => ({
      ir: lowerStep(contraction, inputs.map((x) => ({ ...x, dtype: 'float32' as const })), 'float32'), // prettier-ignore
      inputs,
    }));
  });

const unit = (extents: readonly number[]): readonly number[] => rowMajorStrides(extents);

/** Sums of rows or of columns, of plain values whose order of summation shows in the last bits. */
const anyFold = fc
  .record({
    extents: fc.tuple(fc.constantFrom(1, 2, 3), fc.integer({ min: 16, max: 200 }), fc.integer({ min: 1, max: 150 })),
    dtype: fc.constantFrom<'float32' | 'float64'>('float32', 'float64'),
    monoid: fc.constantFrom<Monoid>('sum', 'prod', 'max'),
    value: fc.constantFrom(s.operand(0), s.mul(s.operand(0), s.operand(0)), s.exp(s.operand(0))),
    isTurned: fc.boolean(),
    salt: fc.nat(100),
  })
  .map(({ extents, dtype, monoid, value, isTurned, salt }) => {
    const [batch, kept, folded] = extents;
    const strides = isTurned ? [kept * folded, 1, kept] : unit(extents);
    const input = lying(extents, dtype, { ...FLAT, salt });
    const output = { dtype: 'float64' as const, strides: [...unit([batch, kept]), 0], offset: 0 };
    const ir: KernelIR = {
      kind: 'nest',
      extents,
      outer: 2,
      inputs: [{ dtype, strides, offset: 0 }],
      folds: [{ monoid, value }],
      result: s.fold(0),
      emits: 'group',
      output,
    };
    return { ir, inputs: [input] };
  });

for (const { isRelaxed } of TARGETS) {
  describe(`kernels in parts${isRelaxed ? ', relaxed' : ''} (N7)`, function () {
    this.timeout(300_000); // at its full size
    before(() => (isRelaxed ? allowRelaxedSimd() : undefined));
    after(() => (isRelaxed ? forbidRelaxedSimd() : undefined));

    it('of any nest equal the whole bit for bit, for 2, 3 and 4 threads', () => {
      const { expectSame, cuts } = inPartsKit(isRelaxed);
      const runs = propertyRuns(30, 250, 6000);
      fc.assert(
        fc.property(anyNestOver(sizes), ({ ir, inputs }) => expectSame(ir, inputs)),
        { seed: propertySeed(), numRuns: runs },
      );
      console.log(`        ${cuts()} times in parts`);
      expect(cuts()).to.be.greaterThan(runs / 4);
    });

    it('of any fold of rows or columns equal the whole bit for bit, in float64 too', () => {
      const { expectSame, cuts } = inPartsKit(isRelaxed);
      const runs = propertyRuns(60, 250, 6000);
      fc.assert(
        fc.property(anyFold, ({ ir, inputs }) => expectSame(ir, inputs)),
        { seed: propertySeed(), numRuns: runs },
      );
      expect(cuts()).to.be.greaterThan(runs);
    });

    it('of any sum of products equal the whole bit for bit: packed, direct or row by row as the whole is', () => {
      const { expectSame, cuts } = inPartsKit(isRelaxed);
      const runs = propertyRuns(30, 250, 6000);
      fc.assert(
        fc.property(anyProduct, ({ ir, inputs }) => expectSame(ir, inputs)),
        { seed: propertySeed(), numRuns: runs },
      );
      console.log(`        ${cuts()} times in parts`);
      expect(cuts()).to.be.greaterThan(runs / 4);
    });
  });
}
