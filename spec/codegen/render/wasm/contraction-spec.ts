/** @file Contractions as WebAssembly against float64 sums, at every edge, for any layout, on each block shape. */
import { expect } from 'chai';
import fc from 'fast-check';
import { js, wasm } from '../../../../src/index.js';
import type { NestIR, TensorType } from '../../../../src/codegen/ir.js';
import { lower, type Work } from '../../../../src/codegen/lower.js';
import { renderContractionWasm } from '../../../../src/codegen/render/wasm/contraction/index.js';
import type { BlockShape, Target, WasmKernel } from '../../../../src/codegen/render/wasm/kernel.js';
import { moduleBytes } from '../../../../src/codegen/render/wasm/module.js';
import { findOp } from '../../../../src/ops/registry.js';
import { s } from '../../../../src/ops/scalar.js';
import type { Tensor } from '../../../../src/tensor/tensor.js';
import { anyLie, lying } from '../../../support/anyLayout.js';
import { applyInGraph } from '../../../oracle/throughGraph.js';
import { exactly, magnitudes, noise, sumOfProducts, tensorOf } from '../../../support/products.js';
import { isLarge, propertyRuns, propertySeed } from '../../../support/property.js';
import { HAS_RELAXED, PLAIN, runWasm } from '../../../support/runWasm.js';

const blocks: readonly BlockShape[] = [
  { rows: 4, vectors: 2, unroll: 1 },
  { rows: 6, vectors: 2, unroll: 4 },
  { rows: 3, vectors: 3, unroll: 2 },
];
/** A short run takes each block once, and relaxed multiply-adds with the second. */
const targets: readonly Target[] = blocks.flatMap((block, at) =>
  (HAS_RELAXED ? (isLarge() ? [false, true] : [at === 1]) : [false]).map((isRelaxed) => ({ ...PLAIN, block, isRelaxed })),
);

/** Runs the einsum and holds each element against the float64 sum: k·2⁻²⁴ of the magnitudes, and one rounding. */
function expectSums(spec: string, inputs: readonly Tensor[], target: Target): WasmKernel | undefined {
  const { ir, output, count } = sumOfProducts(spec, inputs);
  const kernel = renderContractionWasm(ir, target);
  if (kernel === undefined) return undefined;
  const result = tensorOf(output, () => 7);
  runWasm(ir, kernel, inputs, result);
  const want = exactly(ir, inputs, output);
  const scale = exactly(ir, inputs.map(magnitudes), output);
  const got = result.buffer.array as Float32Array;
  for (let i = 0; i < got.length; i++) {
    const slack = (count + 1) * 2 ** -24 * scale[i] + count * 2 ** -149;
    const isSame = Number.isFinite(want[i]) ? Math.abs(got[i] - want[i]) <= slack : Object.is(got[i], want[i]);
    if (!isSame)
      expect.fail(`${spec} of ${inputs.map(({ shape }) => `[${shape.join()}]`).join()}: [${i}] is ${got[i]}, not ${want[i]}`);
  }
  return kernel;
}

const random = (seed: number, ...shapes: readonly (readonly number[])[]): readonly Tensor[] =>
  shapes.map((shape, k) => tensorOf(shape, noise(seed + k)));

/** What a layout must not disturb, small enough that no sum overflows. */
const special = [0, -0, 1, -1, NaN, Infinity, -Infinity, 0.5, 3, 2 ** -149];

describe('a contraction as WebAssembly', () => {
  const edges = {
    'read in place': ['ij,jk->ik', (n: number, k: number) => [k, n], 'direct'],
    'packed into panels': ['ij,kj->ik', (n: number, k: number) => [n, k], 'packed'],
  } as const;
  for (const [title, [spec, shape, kind]] of Object.entries(edges))
    it(`is right at every edge of a matrix product ${title}`, function () {
      this.timeout(120_000);
      const sizes = { test: [1, 5, 18], all: Array.from({ length: 19 }, (_, i) => i + 1) };
      const chosen = propertyRuns(0, 1, 1) === 0 ? sizes.test : sizes.all;
      for (const target of targets)
        for (const m of chosen)
          for (const n of chosen)
            for (const k of chosen) {
              const key = expectSums(spec, random(m, [m, k], shape(n, k)), target)?.key;
              // A single row is a vector: dots, or read in place.
              if (m > 1 && n > 1 && k > 1) expect(key).to.match(new RegExp(`^contraction.${kind} `));
              else expect(key).to.match(/^contraction.(direct|dot|packed) /);
            }
    });

  const forms: readonly [string, (m: number, n: number, k: number) => readonly (readonly number[])[]][] = [
    ['ij,jk->ki', (m, n, k) => [[m, k], [k, n]]],
    ['ji,jk->ik', (m, n, k) => [[k, m], [k, n]]],
    ['ij,kj->ik', (m, n, k) => [[m, k], [n, k]]],
    ['ji,kj->ik', (m, n, k) => [[k, m], [n, k]]],
    ['bij,bjk->bik', (m, n, k) => [[3, m, k], [3, k, n]]],
    ['bhqd,bhkd->bhqk', (m, n, k) => [[2, 3, m, k], [2, 3, n, k]]],
    ['bij,jk->bki', (m, n, k) => [[3, m, k], [k, n]]],
    ['bij,bjk->ikb', (m, n, k) => [[3, m, k], [3, k, n]]],
    ['ijk,kjl->il', (m, n, k) => [[m, 5, k], [k, 5, n]]],
    ['ijk,lkj->il', (m, n, k) => [[m, 5, k], [n, k, 5]]],
    ['iaj,jkb->kaib', (m, n, k) => [[m, 3, k], [k, n, 2]]],
    ['bijc,bkjc->bick', (m, n, k) => [[2, m, k, 3], [2, n, k, 3]]],
    ['bsd,dhk->bhsk', (m, n, k) => [[2, m, k], [k, 3, n]]],
    ['bhsk,hkd->bsd', (m, n, k) => [[2, 3, m, k], [3, k, n]]],
    ['ij,j->i', (m, _, k) => [[m, k], [k]]],
    ['j,ij->i', (m, _, k) => [[k], [m, k]]],
    ['j,ji->i', (m, _, k) => [[k], [k, m]]],
    ['bij,bj->bi', (m, _, k) => [[3, m, k], [3, k]]],
    ['bi,bi->b', (m, _, k) => [[m, k], [m, k]]],
    ['i,i->', (_, n, k) => [[k * n], [k * n]]],
  ]; // prettier-ignore
  for (const [spec, shapes] of forms)
    it(`is right for ${spec}, below, at and beyond the sizes of blocks`, () => {
      for (const target of targets)
        for (const [m, n, k] of [[2, 2, 2], [13, 21, 18], [33, 9, 31], ...(isLarge() ? [[5, 3, 2], [24, 16, 8]] : [])])
          expect(expectSums(spec, random(n, ...shapes(m, n, k)), target), `${m} ${n} ${k}`).to.not.equal(undefined); // prettier-ignore
    });

  it('is right where rows, columns and k take more than one block', () => {
    for (const target of isLarge() ? targets : targets.slice(1))
      for (const [m, n, k] of [[125, 10, 260], [5, 600, 7], [7, 20, 515]])
        for (const spec of ['ij,jk->ik', 'ij,jk->ki']) expectSums(spec, random(k, [m, k], [k, n]), target); // prettier-ignore
  });

  it('is right for a vector times a matrix, whatever the rows and columns', () => {
    for (const target of targets.slice(0, 2))
      for (const n of isLarge() ? [32, 33, 50, 2051] : [33, 2051])
        for (const k of isLarge() ? [2, 7, 8, 9, 270] : [2, 9])
          for (const [spec, shapes] of [
            ['j,jk->k', [[k], [k, n]]],
            ['ij,jk->ik', [[1, k], [k, n]]],
            ['bj,bjk->bk', [[2, k], [2, k, n]]],
          ] as const) {
            const key = expectSums(spec, random(n, ...shapes), target)?.key;
            expect(key, `${spec} ${n} ${k}`).to.match(/^contraction.swept /);
          } // prettier-ignore
  });

  it('is right for any axes and any layout: permuted, backwards, repeating, overlapping', () => {
    const letter = fc.constantFrom(...'abcde');
    const axes = fc.uniqueArray(letter, { maxLength: 4 });
    const numRuns = propertyRuns(80, 4_000, 40_000);
    let rendered = 0;
    fc.assert(
      fc.property(axes, axes, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5, maxLength: 5 }), anyLie(fc.constant('plain')), anyLie(fc.constant('plain')), fc.nat(1000), (left, right, sizes, one, other, salt) => {
        const used = [...new Set([...left, ...right])].filter((_, at) => (salt >> at) % 2 === 0);
        const spec = `${left.join('')},${right.join('')}->${used.join('')}`;
        const shapeOf = (names: readonly string[]) => names.map((name) => sizes['abcde'.indexOf(name)]);
        const tensors = [lying(shapeOf(left), 'float32', one), lying(shapeOf(right), 'float32', other)];
        if (salt % 3 === 0)
          for (const { buffer } of tensors) buffer.array.forEach((_, i) => void (buffer.array[i] = special[(i * 7 + salt) % 23] ?? 2));
        if (expectSums(spec, tensors, targets[salt % targets.length]) !== undefined) rendered++;
      }),
      { seed: propertySeed(), numRuns },
    ); // prettier-ignore
    expect(rendered).to.be.greaterThan(numRuns / 5);
  });

  describe('with an epilogue', () => {
    const zero = s.constant(0);
    const sum = s.fold(0);
    /** The product's nest with another result, and further operands over its rows and columns. */
    const finished = (ir: NestIR, result: NestIR['result'], further: NestIR['inputs'], dtype: 'float32' | 'bool'): NestIR => ({
      ...ir,
      inputs: [...ir.inputs, ...further],
      result,
      output: { ...ir.output, dtype },
    });
    const operands = {
      'one number a column': [0, 1],
      'one number a row': [1, 0],
      'one number': [0, 0],
      'numbers apart': [1, 3],
    } as const;
    for (const [title, [row, column]] of Object.entries(operands))
      for (const dtype of ['float32', 'bool'] as const)
        it(`adds ${title} (${dtype}), and clamps, at every edge`, () => {
          for (const target of isLarge() ? targets : targets.slice(1, 2))
            for (const spec of ['ij,jk->ik', 'ij,jk->ki', 'ij,kj->ik', 'j,jk->k'])
              for (const [m, n, k] of [[5, 3, 2], [13, 21, 18], [9, 20, 270], [4, 37, 11]]) {
                const inputs = random(m, spec.startsWith('j') ? [k] : [m, k], spec.includes('kj') ? [n, k] : [k, n]);
                const { ir, output, count } = sumOfProducts(spec, inputs);
                const strides = ir.extents.map((_, axis) => (axis >= ir.outer ? 0 : ir.output.strides[axis] === 1 ? column : row));
                const bias = tensorOf([m + n * 4 + 400], (i) => ((i * 5) % 7) - 3, 'float32');
                const given = dtype === 'bool' ? tensorOf(bias.shape, (i) => (i * 3) % 2, 'bool') : bias;
                const done = finished(ir, s.max(s.add(sum, s.operand(2)), zero), [{ dtype, strides, offset: 2 }], 'float32');
                const kernel = renderContractionWasm(done, target)!;
                const result = tensorOf(output, () => 7);
                runWasm(done, kernel, [...inputs, given], result);
                const want = exactly(done, [...inputs, given], output);
                (result.buffer.array as Float32Array).forEach((got, i) => {
                  if (!(Math.abs(got - want[i]) <= count * 2 ** -22))
                    expect.fail(`${spec} ${m} ${n} ${k}: [${i}] ${got} ${want[i]}`);
                });
              } // prettier-ignore
        });

    it('writes truth values of a comparison', () => {
      for (const target of targets)
        for (const spec of ['ij,jk->ik', 'ij,kj->ki'])
          for (const [m, n, k] of [[5, 3, 2], [13, 21, 18], [9, 20, 270]]) {
            const inputs = random(m, [m, k], spec.includes('kj') ? [n, k] : [k, n]);
            const { ir, output } = sumOfProducts(spec, inputs);
            for (const result of [s.gt(sum, zero), s.sub(s.gt(sum, zero), s.lt(sum, zero))]) {
              const done = finished(ir, result, [], 'bool');
              const bits = tensorOf(output, () => 0, 'bool');
              runWasm(done, renderContractionWasm(done, target)!, inputs, bits);
              const want = exactly(done, inputs, output);
              expect([...(bits.buffer.array as Uint8Array)]).to.deep.equal(Array.from(want, (x) => (x === 0 ? 0 : 1)));
            }
          } // prettier-ignore
    });
  });

  it('has equal code for equal keys, and few keys for many sizes', () => {
    const known = new Map<string, string>();
    for (const spec of ['ij,jk->ik', 'ij,kj->ik', 'bij,bjk->bik'])
      for (let batch = 1; batch <= 64; batch++) {
        const shapes: Record<string, readonly (readonly number[])[]> = {
          'ij,jk->ik': [[batch, 70], [70, 90]],
          'ij,kj->ik': [[batch, 70], [90, 70]],
          'bij,bjk->bik': [[batch, 6, 8], [batch, 8, 12]],
        }; // prettier-ignore
        const kernel = renderContractionWasm(sumOfProducts(spec, random(1, ...shapes[spec])).ir, PLAIN)!;
        const bytes = moduleBytes(kernel.source()).join();
        expect(known.get(kernel.key) ?? bytes).to.equal(bytes);
        known.set(kernel.key, bytes);
      }
    expect(known.size).to.be.at.most(8);
  });

  it('holds the sums between the steps of a path in float32, and the result stays within float32 rounding', async () => {
    const backend = await wasm();
    const spec = 'xy,yz,zw->xw';
    const inputs = random(1, [20, 30], [30, 40], [40, 10]);
    const { calls, temporaries } = lower({
      op: findOp('einsum')!,
      params: { spec },
      inputs: inputs as unknown as TensorType[],
      output: { shape: [20, 10], dtype: 'float32' },
      partialSums: backend.capabilities.partialSums,
    }) as Work;
    expect(temporaries.map(({ dtype }) => dtype)).to.deep.equal(['float32']);
    expect(calls.map(({ ir }) => renderContractionWasm(ir as NestIR, PLAIN) !== undefined)).to.deep.equal([true, true]);
    const [got, want] = [backend, js()].map((on) => applyInGraph(on)('einsum', inputs, { spec }).data);
    want.forEach((value, i) => expect(Math.abs(Number(got[i]) - Number(value))).to.be.at.most(1200 * 2 ** -24));
  });

  it('is left to other kernels where nothing is summed, where a size is 0, and for other dtypes', () => {
    const none = (spec: string, inputs: readonly Tensor[]) =>
      expect(renderContractionWasm(sumOfProducts(spec, inputs).ir, PLAIN)).to.equal(undefined);
    none('i,j->ij', random(1, [3], [4]));
    none('ij,jk->ik', random(1, [3, 0], [0, 4]));
    none('ij,jk->ik', [tensorOf([3, 4], noise(1), 'float64'), tensorOf([4, 5], noise(2))]);
    none('ijl,jl->il', random(1, [3, 4, 5], [4, 5]));
  });
});
