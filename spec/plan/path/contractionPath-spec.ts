import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../../src/errors/index.js';
import { contractNaive } from '../../../src/ops/einsum/contract.js';
import { contractionPath } from '../../../src/plan/path/index.js';
import { allocateTensor, tensor } from '../../../src/tensor/index.js';
import { meaningOf } from '../../support/anyEinsum.js';
import { contractAlong } from '../../support/contractAlong.js';
import { anyContraction, contractionOf } from '../../support/contractions.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

const ORDERS = ['none', 'greedy', 'random-greedy', 'optimal'] as const;

describe('a contraction path (F147)', () => {
  it('gives what the plain loop gives, whatever the order, the shapes and the layouts', () => {
    fc.assert(
      fc.property(anyContraction({ maxOperands: 6 }), fc.constantFrom('auto', ...ORDERS), ([contraction, einsum], strategy) => {
        const got = contractAlong(contraction, einsum.tensors, 'float64', { strategy });
        const positiveZero = (x: number): number => x + 0; // where a path sums, -0 becomes 0
        expect([...got.data].map(Number).map(positiveZero)).to.deep.equal(meaningOf(einsum).map(positiveZero));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(250, 8_000, 100_000) },
    );
  });

  it('uses each slot once, and ends with the labels of the output', () => {
    fc.assert(
      fc.property(anyContraction({ maxOperands: 8 }), fc.constantFrom(...ORDERS), ([contraction], strategy) => {
        const n = contraction.operands.length;
        const { steps } = contractionPath(contraction, { strategy });
        const used = steps.flatMap((step) => step.inputs).sort((a, b) => a - b);
        expect(used).to.deep.equal(Array.from({ length: n + steps.length - 1 }, (_, slot) => slot));
        steps.forEach((step, k) => expect(Math.max(...step.inputs)).to.be.lessThan(n + k));
        expect(steps.at(-1)!.output).to.deep.equal(contraction.output);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 3_000, 30_000) },
    );
  });

  it('gives the same int32 bits in any order, sums that wrap included', () => {
    const x = tensor(
      Int32Array.from({ length: 9 }, (_, i) => 2 ** 31 - 1 - 7 ** i),
      { shape: [3, 3] },
    );
    const contraction = contractionOf('ij,jk,kl,lm->im', { i: 3, j: 3, k: 3, l: 3, m: 3 });
    const out = allocateTensor([3, 3], 'int32');
    contractNaive(contraction, [x, x, x, x], out);
    for (const strategy of ORDERS)
      expect([...contractAlong(contraction, [x, x, x, x], 'int32', { strategy }).data], strategy).to.deep.equal([...out.data]);
  });

  it('sums first what one operand alone has', () => {
    const path = contractionPath(contractionOf('ab,cb->', { a: 100, b: 10, c: 100 }));
    expect(path.steps.map((step) => step.inputs)).to.deep.equal([[0], [1], [2, 3]]);
    expect([path.flops, path.loopFlops]).to.deep.equal([2020, 200_000]);
  });

  it('does not sum an index of size 0 before the end, so that nothing times Infinity stays 0', () => {
    const contraction = contractionOf('i,i,j,j->', { i: 0, j: 2 });
    const infinite = tensor(Float64Array.of(Infinity, Infinity));
    const nothing = tensor(new Float64Array(0));
    for (const strategy of ORDERS)
      expect(contractAlong(contraction, [nothing, nothing, infinite, infinite], 'float64', { strategy }).toArray()).to.equal(0);
  });

  it('keeps intermediates within a limit, or says that it cannot', () => {
    const contraction = contractionOf('ab,cd,bc->ad', { a: 9, b: 2, c: 2, d: 9 });
    expect(contractionPath(contractionOf('a,b,ab->', { a: 50, b: 50 }), { strategy: 'none' }).largest).to.equal(2500);
    expect(contractionPath(contraction, { memoryLimit: 18 }).largest).to.equal(18);
    for (const strategy of ORDERS)
      expect(() => contractionPath(contraction, { strategy, memoryLimit: 17 }), strategy).to.throw(
        EinstreamError,
        'every intermediate of a contraction must fit the limit; expected at most 17',
      );
    expect(() => contractionPath(contraction, { memoryLimit: 0 })).to.throw(
      EinstreamError,
      'a limit is a positive number of elements; got 0',
    );
  });

  it('refuses an optimal search over more than 10 operands', () => {
    const wide = contractionOf('a,a,a,a,a,a,a,a,a,a,a->', { a: 2 });
    expect(() => contractionPath(wide, { strategy: 'optimal' })).to.throw(EinstreamError, 'at most 10 operands, got 11');
    expect(contractionPath(wide).method).to.equal('greedy');
  });

  it('takes sizes beyond all numbers', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const huge = contractionOf(
      `${letters.map((l, i) => l + letters[(i + 1) % 26].toUpperCase()).join(',')}->`,
      new Proxy({}, { get: () => 2 ** 31 }),
    );
    for (const strategy of ['greedy', 'none'] as const)
      expect(contractionPath(huge, { strategy }).steps.at(-1)!.output).to.deep.equal([]);
  });
});
