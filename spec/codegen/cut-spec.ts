/** @file Parts of a kernel along a written axis: together they write what the whole writes, and nothing else. */
import { expect } from 'chai';
import fc from 'fast-check';
import { cutAlong, cuttable } from '../../src/codegen/cut.js';
import { interpret } from '../../src/codegen/interpret.js';
import type { GatherIR, KernelIR } from '../../src/codegen/ir.js';
import { tensor, type Tensor } from '../../src/index.js';
import { anyNest, resultOf } from '../support/anyNest.js';
import { propertyRuns, propertySeed } from '../support/property.js';

/** All parts, the last one first: their order must not matter. */
const inParts = (ir: KernelIR, axis: number, ends: readonly number[], inputs: readonly Tensor[]) =>
  resultOf(
    (given, outputs) => {
      const parts = ends.map((end, k) => cutAlong(ir, axis, k === 0 ? 0 : ends[k - 1], end));
      for (const part of parts.reverse()) interpret(part)(given, outputs);
    },
    ir,
    inputs,
  );

describe('a kernel cut along a written axis', () => {
  it('writes the same, at whatever places and along whichever axis it is cut', () => {
    let cuts = 0;
    fc.assert(
      fc.property(anyNest, fc.array(fc.nat(4), { maxLength: 3 }), ({ ir, inputs }, places) => {
        const whole = resultOf(interpret(ir), ir, inputs);
        for (const axis of cuttable(ir)) {
          const extent = ir.extents[axis];
          const ends = [...places.filter((place) => place < extent).sort(), extent];
          expect(inParts(ir, axis, ends, inputs)).to.deep.equal(whole);
          cuts++;
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 1000, 20_000) },
    );
    expect(cuts).to.be.greaterThan(20);
  });

  it('keeps its strides and all other extents: the structure is the same', () => {
    fc.assert(
      fc.property(anyNest, ({ ir }) => {
        for (const axis of cuttable(ir)) {
          const part = cutAlong(ir, axis, 1, ir.extents[axis]);
          const [given, cut] = [ir, part].map((each) => ({
            ...each,
            extents: each.extents.filter((_, k) => k !== axis),
            inputs: (each as typeof ir).inputs.map(({ strides }) => strides),
            output: each.kind === 'nest' ? each.output.strides : undefined,
          }));
          expect(cut).to.deep.equal(given);
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(50, 500, 5000) },
    );
  });

  it('is cut along no folded axis, and none along which the output stands still', () => {
    const access = { dtype: 'float32', offset: 0 } as const;
    const sum = {
      kind: 'nest',
      extents: [3, 1, 4, 5],
      outer: 3,
      inputs: [],
      folds: [],
      result: { kind: 'constant', value: 1 },
      emits: 'group',
      output: { ...access, strides: [0, 1, 1, 1] },
    } as const;
    expect(cuttable(sum)).to.deep.equal([2]);
  });

  it('gathers by the indices of its part', () => {
    const ir: GatherIR = {
      kind: 'gather',
      extents: [4, 2],
      data: { dtype: 'float32', strides: [0, 1], offset: 0 },
      index: { dtype: 'int32', strides: [1, 0], offset: 0 },
      step: 2,
      size: 3,
      output: { dtype: 'float32', strides: [2, 1], offset: 0 },
    };
    const inputs = [tensor([[1, 2], [3, 4], [5, 6]]), tensor([2, 0, -1, 1], { dtype: 'int32' })]; // prettier-ignore
    const whole = resultOf(interpret(ir), ir, inputs);
    for (const axis of [0, 1]) expect(inParts(ir, axis, [1, ir.extents[axis]], inputs)).to.deep.equal(whole);
  });
});
