/** @file Sums of products in tiles: four neighbours of the result a thread, which share what they read. */
import { expect } from 'chai';
import type { NestIR } from '../../../../src/codegen/ir.js';
import { renderGpu } from '../../../../src/codegen/render/gpu.js';
import type { GpuForm } from '../../../../src/codegen/render/gpu/form.js';
import { s } from '../../../../src/ops/scalar.js';
import type { Shape } from '../../../../src/tensor/shape.js';
import { exactly, noise, sumOfProducts, tensorOf } from '../../../support/products.js';
import { runGpu } from '../../../support/runGpu.js';

const TILED: GpuForm = { tilesFrom: 16, unroll: 4 };

function contraction(spec: string, ...shapes: readonly Shape[]) {
  const inputs = shapes.map((shape, k) => tensorOf(shape, noise(k + 1)));
  return { ...sumOfProducts(spec, inputs), inputs };
}

const passesOf = (ir: NestIR, form = TILED) => renderGpu(ir, form).passes;
const isTiled = (spec: string, ...shapes: readonly Shape[]): boolean => passesOf(contraction(spec, ...shapes).ir).at(0)!.isTiled;

describe('tiles of gpu kernels', () => {
  it('hold four neighbours of the innermost axis, along which an operand stays', () => {
    expect(isTiled('ij,jk->ik', [4, 8], [8, 4])).to.equal(true);
    expect(isTiled('bij,bjk->bik', [2, 3, 8], [2, 8, 4])).to.equal(true);
    expect(isTiled('ij,j->i', [16, 8], [8])).to.equal(true);
    expect(isTiled('ij,ij->i', [16, 8], [16, 8]), 'nothing to share').to.equal(false);
    expect(isTiled('ij,jk->ik', [4, 8], [8, 6]), 'a rest').to.equal(false);
    expect(isTiled('ij,jk->ik', [3, 8], [8, 4]), 'few elements').to.equal(false);
    expect(isTiled('ij,jk->ik', [4, 7], [7, 4]), 'few terms').to.equal(false);
    expect(isTiled('ij->i', [16, 8]), 'a plain sum').to.equal(false);
  });

  it('read five elements for four products', () => {
    const { ir } = contraction('ij,jk->ik', [4, 8], [8, 4]);
    const reads = (form: GpuForm): number => passesOf(ir, form)[0].source.match(/a\d\[/g)!.length;
    expect(reads({ tilesFrom: Infinity, unroll: 1 })).to.equal(2);
    expect(reads({ tilesFrom: 16, unroll: 1 })).to.equal(5);
    expect(reads({ tilesFrom: 16, unroll: 4 })).to.equal(4 * 5);
  });

  it('are what one element a thread would be, epilogues and long sums too', () => {
    const cases: readonly (readonly [spec: string, ...shapes: (readonly number[])[]])[] = [
      ['ij,jk->ik', [5, 19], [19, 8]],
      ['ij,kj->ik', [4, 33], [12, 33]],
      ['bij,jkb->bki', [4, 8, 9], [9, 3, 4]],
      ['ij,j->i', [16, 300], [300]],
      ['ijk,jkl->il', [8, 3, 20], [3, 20, 4]],
      ['ij,jk->ik', [16, 4100], [4100, 16]],
    ];
    for (const [spec, ...shapes] of cases) {
      const { ir: plain, inputs, output, count } = contraction(spec, ...shapes);
      const ir = { ...plain, result: s.mul(s.max(s.fold(0), 0), 2) };
      const [first] = passesOf(ir);
      expect(first.isTiled, spec).to.equal(true);
      const got = runGpu(passesOf(ir), inputs.map(({ data }) => data as Float32Array)); // prettier-ignore
      // The result is the output's elements in the order in which they lie.
      Array.from(exactly(ir, inputs, output)).forEach((want, at) => expect(got[at], spec).to.be.closeTo(want, count * 1e-6));
    }
  });
});
