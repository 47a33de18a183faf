/** @file Paths whose costs are published: ours must reach them. */
import { expect } from 'chai';
import type { Contraction } from '../../../src/ops/einsum/resolve.js';
import { contractionPath } from '../../../src/plan/path/index.js';
import { contractionOf } from '../../support/contractions.js';
import { PUBLISHED } from '../../support/published-paths.js';

/** Three digits, as costs are printed. */
const rounded = (count: number): number => Number(count.toPrecision(4));

/** The inner product of two matrix product states of `n` sites: two rows of tensors, joined along and across. */
function innerProduct(n: number, physical: number, bond: number): Contraction {
  const operands: number[][] = [
    [0, 1],
    [0, 2],
  ];
  for (let site = 1; site < n - 1; site++) {
    const label = 3 * site;
    operands.push([label, label - 1, label + 2], [label, label - 2, label + 1]);
  }
  const last = 3 * (n - 1);
  operands.push([last, last - 1], [last, last - 2]);
  const sizes = Array.from({ length: last + 1 }, (_, label) => (label % 3 === 0 ? physical : bond));
  return { sizes, operands, output: [], names: sizes.map((_, label) => `x${label}`) };
}

describe('a path costs what the published one does (F147)', () => {
  for (const { spec, sizes, flops, largest, source } of PUBLISHED)
    it(`${spec}: ${flops} operations (${source})`, () => {
      const path = contractionPath(contractionOf(spec, sizes));
      expect(rounded(path.flops)).to.be.at.most(flops);
      expect(rounded(path.flops)).to.be.at.least(0.99 * flops); // the same measure
      if (largest !== undefined) expect(rounded(path.largest)).to.be.at.most(largest);
    });

  it('the inner product of two matrix product states, 200 tensors: 1.168e6 (opt_einsum, "Large Expressions with Greedy")', () => {
    const path = contractionPath(innerProduct(100, 3, 10));
    expect(path.flops).to.be.at.most(1.168e6);
    expect(path.largest).to.be.at.most(300);
  });
});
