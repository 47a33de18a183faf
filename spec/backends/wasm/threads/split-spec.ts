/** @file Where kernels are cut, and which stay whole. */
import { expect } from 'chai';
import { split, WORTH, type Worth } from '../../../../src/backends/wasm/threads/split.js';
import { workOf } from '../../../../src/backends/wasm/threads/work.js';
import type { GatherIR, KernelIR } from '../../../../src/codegen/ir.js';
import { renderWasm } from '../../../../src/codegen/render/wasm/render.js';
import { lowerStep } from '../../../../src/codegen/lower/contraction.js';
import { rowMajorStrides } from '../../../../src/tensor/shape.js';
import { Tensor } from '../../../../src/tensor/tensor.js';
import { lying } from '../../../support/anyLayout.js';
import { contractionOf } from '../../../support/contractions.js';
import { TARGETS } from '../../../support/runWasm.js';
import { ALWAYS } from '../../../support/threadedWasm.js';
import { FLAT, inPartsKit } from '../../../support/inParts.js';

describe('kernels in parts', () => {
  const gather = (rows: number): { readonly ir: GatherIR; readonly inputs: readonly Tensor[] } => {
    const index = lying([rows], 'int32', FLAT);
    index.buffer.array.forEach((_, k, all) => ((all as Int32Array)[k] = (k % 40) - 20));
    return {
      ir: {
        kind: 'gather',
        extents: [rows, 6],
        data: { dtype: 'float32', strides: [0, 1], offset: 0 },
        index: { dtype: 'int32', strides: [1, 0], offset: 0 },
        step: 6,
        size: 20,
        output: { dtype: 'float32', strides: [6, 1], offset: 0 },
      },
      inputs: [lying([20, 6], 'float32', FLAT), index],
    };
  };

  it('gather what the whole gathers, and report the first index that is outside, in whatever part it lies', () => {
    const { expectSame, cuts } = inPartsKit(false);
    const { ir, inputs } = gather(50);
    expectSame(ir, inputs);
    expect(cuts()).to.equal(3);
    for (const bad of [0, 49]) {
      const wrong = gather(50);
      (wrong.inputs[1].buffer.array as Int32Array)[wrong.inputs[1].offset + bad] = 20;
      expect(() => expectSame(wrong.ir, wrong.inputs))
        .to.throw(/20/)
        .with.property('code', 'E_SHAPE');
    }
  });

  const map = (extents: readonly number[]): KernelIR => ({
    kind: 'nest',
    extents,
    outer: extents.length,
    inputs: [],
    folds: [],
    result: { kind: 'constant', value: 2 },
    emits: 'group',
    output: { dtype: 'float32', strides: rowMajorStrides(extents), offset: 0 },
  });
  const [plain] = TARGETS;
  const partsOf = (ir: KernelIR, threads: number, worth: Worth = ALWAYS) =>
    split(ir, renderWasm(ir, plain), (part) => renderWasm(part, plain), { threads, worth });

  it('are as many for each thread, and none is much longer than another', () => {
    for (const threads of [2, 3, 4, 8])
      for (const extent of [64, 100, 1000, 4097, 2 ** 20]) {
        const lengths = (partsOf(map([extent]), threads) ?? []).map(({ ir }) => ir.extents[0]);
        if (lengths.length === 0) continue;
        expect(lengths.reduce((sum, length) => sum + length)).to.equal(extent);
        if (lengths.length >= threads) expect(lengths.length % threads).to.equal(0);
        expect(Math.max(...lengths)).to.be.at.most((1.3 * extent) / lengths.length);
        for (const length of lengths.slice(0, -1)) expect(length % 16).to.equal(0);
      }
  });

  it('are cut along the outermost axis that is long enough', () => {
    const axisOf = (extents: readonly number[]) =>
      partsOf(map(extents), 2)?.[0].ir.extents.findIndex((extent, axis) => extent !== extents[axis]);
    expect([[8, 5, 64], [3, 8, 64], [1, 3, 1024], [3, 3, 5]].map(axisOf)).to.deep.equal([0, 1, 2, undefined]); // prettier-ignore
  });

  it('are not worth their while below some work, as estimated from elements and instructions', () => {
    expect(partsOf(map([2 ** 12]), 2, WORTH)).to.equal(undefined);
    expect(partsOf(map([2 ** 22]), 2, WORTH)).to.have.length(8);
    const product = (size: number) => {
      const x = lying([size, size], 'float32', FLAT);
      const type = { dtype: 'float32' as const, shape: x.shape, strides: x.strides };
      return lowerStep(contractionOf('ij,jk->ik', { i: size, j: size, k: size }), [type, type], 'float32');
    };
    expect(partsOf(product(64), 2, WORTH)).to.equal(undefined);
    expect(partsOf(product(256), 2, WORTH)).to.not.equal(undefined);
    expect(workOf(product(512)) / workOf(product(256))).to.be.within(7, 9);
  });
});
