import { expect } from 'chai';
import fc from 'fast-check';
import type { Contraction } from '../../../src/ops/einsum/resolve.js';
import { contractionPath } from '../../../src/plan/path/index.js';
import { anyContraction, contractionOf } from '../../support/contractions.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

/** The least flops of any order of pairs, by trying all of them; what an operand alone has is summed first. */
function leastFlops({ operands, sizes, output, shapes }: Contraction): number {
  const product = (labels: Iterable<number>): number => [...labels].reduce((total, label) => total * sizes[label], 1);
  /** Contracts some values: the cost, and those that are left. */
  const join = (values: readonly Set<number>[], some: readonly Set<number>[]): readonly [number, readonly Set<number>[]] => {
    const rest = values.filter((value) => !some.includes(value));
    const all = new Set(some.flatMap((value) => [...value]));
    const kept = [...all].filter((label) => output.includes(label) || rest.some((value) => value.has(label)));
    const isSum = product(all) !== product(kept);
    return [product(all) * (isSum && some.length === 2 ? 2 : 1), [...rest, new Set(kept)]];
  };
  const least = (values: readonly Set<number>[]): number => {
    const costs = values.flatMap((a, i) => values.slice(i + 1).map((b) => join(values, [a, b])));
    return costs.length === 0 ? 0 : Math.min(...costs.map(([cost, left]) => cost + least(left)));
  };
  let values: readonly Set<number>[] = operands.map(
    (labels, i) => new Set(labels.filter((label, axis) => shapes === undefined || shapes[i][axis] === sizes[label])),
  );
  let total = 0;
  for (const value of values) {
    const others = values.filter((other) => other !== value);
    const isAlone = (label: number): boolean =>
      sizes[label] > 1 && !output.includes(label) && !others.some((other) => other.has(label));
    if (others.length === 0 || ![...value].some(isAlone)) continue;
    const [cost, left] = join(values, [value]);
    total += cost;
    values = left;
  }
  const onlyOne = operands.length === 1 ? product(new Set([...operands[0], ...output])) : 0;
  return total + onlyOne + least(values);
}

describe('the optimal order (F147)', () => {
  it('is as cheap as the cheapest of all orders', () => {
    fc.assert(
      fc.property(anyContraction({ maxOperands: 5, minSize: 1 }), ([contraction]) => {
        expect(contractionPath(contraction, { strategy: 'optimal' }).flops).to.equal(leastFlops(contraction));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 1_000, 10_000) },
    );
  });

  it('is never dearer than greedy, and mostly not much cheaper', () => {
    const ratios: number[] = [];
    fc.assert(
      fc.property(anyContraction({ maxOperands: 9, minSize: 1 }), ([contraction]) => {
        const [greedy, optimal] = (['greedy', 'optimal'] as const).map(
          (strategy) => contractionPath(contraction, { strategy }).flops,
        );
        expect(greedy).to.be.at.least(optimal);
        ratios.push(greedy / optimal);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 3_000, 30_000) },
    );
    ratios.sort((a, b) => a - b);
    expect(ratios[Math.floor(ratios.length / 2)], 'the median').to.be.at.most(1.2);
  });

  it('is the textbook one for a chain of matrices', () => {
    const path = contractionPath(contractionOf('ij,jk,kl,lm,mn,no->io', { i: 30, j: 35, k: 15, l: 5, m: 10, n: 20, o: 25 }));
    expect(path.flops).to.equal(2 * 15_125); // Cormen et al., Introduction to Algorithms, 15.2
    expect(path.steps.map((step) => step.inputs)).to.deep.equal([
      [1, 2],
      [0, 6],
      [3, 4],
      [5, 8],
      [7, 9],
    ]);
  });
});
