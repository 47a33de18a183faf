/** @file Random-greedy: better orders of many operands, the same each time, within limits. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Contraction } from '../../../src/ops/einsum/resolve.js';
import { contractionPath } from '../../../src/plan/path/index.js';
import { thrownBy } from '../../support/thrownBy.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

/** A network of tensors, each label shared by two of them. */
const anyNetwork = (operands: number): fc.Arbitrary<Contraction> =>
  fc
    .array(fc.tuple(fc.nat(operands - 1), fc.nat(operands - 2), fc.integer({ min: 2, max: 4 })), {
      minLength: operands,
      maxLength: 2 * operands,
    })
    .map((bonds) => {
      const tensors: number[][] = Array.from({ length: operands }, () => []);
      bonds.forEach(([a, b], label) => {
        tensors[a].push(label);
        tensors[b >= a ? b + 1 : b].push(label);
      });
      const sizes = bonds.map(([, , size]) => size);
      return { sizes, operands: tensors, output: [], names: sizes.map((_, label) => `x${label}`) };
    });

const runs = { seed: propertySeed(), numRuns: propertyRuns(10, 60, 1_000) };

describe("a path of strategy 'random-greedy' (F147)", () => {
  it('is never dearer than greedy, nor is auto, and both are the same each time', () => {
    let better = 0;
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 22 }).chain(anyNetwork), (network) => {
        const [greedy, auto, random] = (['greedy', 'auto', 'random-greedy'] as const).map((strategy) =>
          contractionPath(network, { strategy }),
        );
        expect(auto.flops).to.be.at.most(greedy.flops);
        expect(random.flops).to.be.at.most(auto.flops);
        expect(contractionPath(network, { strategy: 'random-greedy' })).to.deep.equal(random);
        expect([auto.method, random.method]).to.deep.equal([auto.flops < greedy.flops ? 'random-greedy' : 'greedy', 'random-greedy']); // prettier-ignore
        if (random.flops < greedy.flops) better++;
      }),
      runs,
    );
    expect(better).to.be.greaterThan(0);
  });

  it('uses each slot once, and keeps intermediates within a limit where it finds an order that does', () => {
    fc.assert(
      fc.property(anyNetwork(14), fc.integer({ min: 2, max: 12 }), (network, power) => {
        const memoryLimit = 2 ** power;
        let path;
        try {
          path = contractionPath(network, { strategy: 'random-greedy', memoryLimit });
        } catch {
          expect(thrownBy(() => contractionPath(network, { strategy: 'random-greedy', memoryLimit })).code).to.equal('E_LIMIT');
          return;
        }
        expect(path.largest).to.be.at.most(memoryLimit);
        const used = path.steps.flatMap(({ inputs }) => inputs).sort((a, b) => a - b);
        expect(used).to.deep.equal(Array.from({ length: network.operands.length + path.steps.length - 1 }, (_, slot) => slot));
      }),
      runs,
    );
  });

  it('costs what its steps say', () => {
    fc.assert(
      fc.property(anyNetwork(12), (network) => {
        const { flops, steps } = contractionPath(network, { strategy: 'random-greedy' });
        expect(flops).to.equal(steps.reduce((sum, step) => sum + step.flops, 0));
      }),
      runs,
    );
  });
});
