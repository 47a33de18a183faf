/** @file Fusing elementwise ops changes no bit: every step in a fused kernel rounds as if it had been stored. */
import { expect } from 'chai';
import fc from 'fast-check';
import { evaluateSync, graph, input, js, type ComputedDType, type GraphSymbol, type Tensor } from '../../src/index.js';
import { anyElementwise, type AnyElementwise } from '../support/anyElementwise.js';
import { counting } from '../support/countingBackend.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { differentBits } from '../support/sameBits.js';

/** The last value, and every fourth, so that a group has values that are seen from outside. */
const seen = <T>(values: readonly T[]): readonly T[] => values.filter((_, k) => k === values.length - 1 || k % 4 === 3);

function graphOf({ inputs, rule }: AnyElementwise, open: boolean) {
  const names = inputs.map((_, k) => `x${k}`);
  const dims = ({ shape }: Tensor) => (open ? shape.map(() => null) : shape);
  const declared = Object.fromEntries(inputs.map((t, k) => [names[k], input(dims(t), { dtype: t.dtype as ComputedDType })]));
  const made = graph(declared, (symbols): Record<string, GraphSymbol> =>
    Object.fromEntries(seen(rule(names.map((name) => symbols[name]))).map((value, k) => [`y${k}`, value])),
  );
  return { made, feeds: Object.fromEntries(inputs.map((t, k) => [names[k], t])) };
}

describe('elementwise graphs', function () {
  this.timeout(300_000); // at its full size
  it('give the same bits fused, unfused, generated, interpreted and evaluated', () => {
    const [unfused, fused, interpreted] = (['generate', 'generate', 'interpret'] as const).map((kernels) =>
      counting(js({ kernels })),
    );
    const ways = { unfused, fused, interpreted };
    fc.assert(
      fc.property(anyElementwise(14), fc.boolean(), (drawn, open) => {
        const { made, feeds } = graphOf(drawn, open);
        const want = seen(drawn.rule<Tensor>(drawn.inputs));
        for (const [name, { backend }] of Object.entries(ways)) {
          const got = evaluateSync(made, feeds, { backend, level: name === 'unfused' ? 'none' : 'standard' });
          want.forEach((value, k) => expect(differentBits(got[`y${k}`], value), `${name}, y${k}`).to.equal(undefined));
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(60, 1_500, 20_000) },
    );
    console.log(`      kernels run: ${unfused.runs()} unfused, ${fused.runs()} fused`);
    expect(fused.runs()).to.be.lessThan(unfused.runs() * 0.75);
  });
});
