/** @file What stages are held to take, where their parts run. */
import { expect } from 'chai';
import { exp, graph, input, js, matmul, mul, neg, relu, run, runScheduled, sum, tanh, type Graph, type GraphSymbol, type ScheduledOptions, type ScheduledStage } from '../../../src/index.js'; // prettier-ignore

function stagesOf(g: Graph, options: Omit<ScheduledOptions, 'over'>): readonly ScheduledStage[] {
  let stages: readonly ScheduledStage[] = [];
  runScheduled(g, { over: { run }, workers: 2, ...options, onPlan: (planned) => (stages = planned) });
  return stages;
}

describe('the stages of runScheduled', () => {
  it('count a value once for each chain that it moves to, however many nodes of that read it', () => {
    const g = graph({ u: input([64, 64]) }, ({ u }) => {
      const chain = (first: GraphSymbol, times: number) => Array.from({ length: times }).reduce<GraphSymbol>((each) => matmul(each, u), first); // prettier-ignore
      return { a: sum(chain(relu(u), 3)), b: sum(chain(neg(u), 5)) };
    });
    const [first] = stagesOf(g, { cost: { perOperation: 1, perRequest: 100, perByte: 1 } });
    // Five products are longer than three; two requests; u goes to both, and a number comes back from each.
    const [product, start, summed] = [2 * 64 ** 3, 64 ** 2, 64 ** 2 + 1];
    expect(first.at).to.equal('there');
    expect(first.estimate).to.deep.equal({
      taken: start + 5 * product + summed + 2 * 100 + 2 * 4 * (64 ** 2 + 1),
      here: 8 * product + 2 * (start + summed),
    });
  });

  it('hold a function to cost more than an instruction, as kernels of the backend do', () => {
    const chains = (chain: (u: GraphSymbol) => GraphSymbol) =>
      graph({ u: input([4096]), v: input([4096]) }, ({ u, v }) => ({ a: sum(chain(u)), b: sum(chain(v)) }));
    const places = (chain: (u: GraphSymbol) => GraphSymbol) =>
      stagesOf(chains(chain), { cost: { perRequest: 10_000, perByte: 0 }, run: { backend: js() } }).map(({ at }) => at);
    expect(places((u) => tanh(exp(mul(u, 2))))).to.deep.equal(['there']);
    expect(places((u) => relu(neg(mul(u, 2))))).to.deep.equal(['here']);
  });
});
