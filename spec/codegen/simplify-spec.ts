import { expect } from 'chai';
import fc from 'fast-check';
import { interpret } from '../../src/codegen/interpret.js';
import type { NestIR } from '../../src/codegen/ir.js';
import { simplify } from '../../src/codegen/simplify.js';
import { s } from '../../src/ops/scalar.js';
import { anyNest, resultOf } from '../support/anyNest.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const elementwise = (extents: readonly number[], ...strides: readonly (readonly number[])[]): NestIR => ({
  kind: 'nest',
  extents,
  outer: extents.length,
  inputs: strides.slice(1).map((each) => ({ dtype: 'float32', strides: each, offset: 0 })),
  folds: [],
  result: s.operand(0),
  emits: 'group',
  output: { dtype: 'float32', strides: strides[0], offset: 0 },
});

describe('simplifying a nest', function () {
  this.timeout(300_000); // at its full size
  it('keeps every result and never adds an axis', () => {
    let fewer = 0;
    fc.assert(
      fc.property(anyNest, ({ ir, inputs }) => {
        const simple = simplify(ir);
        expect(simple.extents.length).to.be.at.most(ir.extents.length);
        if (simple.extents.length < ir.extents.length) fewer++;
        expect(simple.extents).to.not.include(1);
        expect(simplify(simple), 'there is nothing left to do').to.deep.equal(simple);
        // Kernels are made for the nest's strides, so what was read and written is the same buffer, element by element.
        const got = resultOf(interpret(simple), { ...simple, output: ir.output, extents: ir.extents }, inputs);
        expect(got).to.deep.equal(resultOf(interpret(ir), ir, inputs));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 50_000) },
    );
    expect(fewer).to.be.greaterThan(50);
  });

  it('makes one loop of contiguous operands, whatever their rank', () => {
    const simple = simplify(elementwise([2, 3, 1, 4], [12, 4, 4, 1], [12, 4, 4, 1]));
    expect([simple.extents, simple.output.strides, simple.outer]).to.deep.equal([[24], [1], 1]);
  });

  it('joins axes that an operand repeats, but not one that it repeats with one that it walks', () => {
    expect(simplify(elementwise([2, 3], [3, 1], [0, 0])).extents).to.deep.equal([6]);
    expect(simplify(elementwise([2, 3], [3, 1], [0, 1])).extents).to.deep.equal([2, 3]);
  });

  it('leaves a transposed operand its axes', () => {
    expect(simplify(elementwise([2, 3], [3, 1], [1, 2])).extents).to.deep.equal([2, 3]);
  });

  it('keeps written axes apart from folded ones', () => {
    const nest: NestIR = { ...elementwise([2, 3], [0, 0], [3, 1]), outer: 1, folds: [{ monoid: 'sum', value: s.operand(0) }], result: s.fold(0) }; // prettier-ignore
    const simple = simplify({ ...nest, output: { ...nest.output, strides: [1, 0] } });
    expect([simple.extents, simple.outer]).to.deep.equal([[2, 3], 1]);
  });

  it('says the same of nothing and of a scalar', () => {
    expect(simplify(elementwise([0, 5], [5, 1], [5, 1])).extents).to.deep.equal([0]);
    expect(simplify(elementwise([], [], [])).extents).to.deep.equal([]);
  });
});
