/**
 * @file The examples of the seed's sections "GraphOptimizer" and "FusionPlanner", translated and executed.
 */
import { expect } from 'chai';
import { add, analyze, evaluateSync, exp, fusionPlanner, graph, input, js, matmul, mean, mul, named, neg, nodeCount, optimize, relu, sum, abs, tensor, type FusionOpportunity, type Graph } from '../../src/index.js'; // prettier-ignore
import { differentBits } from '../support/sameBits.js';

describe('the GraphOptimizer example of the seed', () => {
  const model = graph({ x: input([64, 64]), w: input([64, 64]), b: input([64]) }, ({ x, w, b }) => {
    named('unused', exp(x));
    return { y: relu(add(matmul(x, w), b)), z: mul(neg(exp(w)), neg(exp(w))) };
  }) as Graph;

  it('E34: opportunities, dead nodes and speedup are printed, then applied', () => {
    const result = analyze(model);
    const printed: string[] = [];

    printed.push(`Fusion opportunities: ${result.fusionOpportunities.length}`);
    printed.push(`Dead nodes: ${result.deadNodes.length}`);
    printed.push(`Estimated speedup: ${result.estimatedSpeedup.toFixed(2)}x`);

    console.log(`      ${printed.join(' · ')}`);
    expect(printed.slice(0, 2)).to.deep.equal(['Fusion opportunities: 2', 'Dead nodes: 1']);
    expect(result.estimatedSpeedup).to.be.within(1.5, 3);

    const { graph: better, reports } = optimize(model);
    expect(reports).to.have.length.greaterThan(0);
    expect([nodeCount(model), nodeCount(better)]).to.deep.equal([12, 5]);
    const waves = (rows: number): number[][] => Array.from({ length: rows }, (_, k) => Array.from({ length: 64 }, (_each, i) => Math.sin(k * 9 + i))); // prettier-ignore
    const feeds = { x: tensor(waves(64)), w: tensor(waves(64)), b: tensor(waves(1)[0]) };
    const [got, want] = [better, model].map((each) => evaluateSync(each, feeds, { level: 'none', backend: js() }));
    for (const name of ['y', 'z']) expect(differentBits(got[name], want[name]), name).to.equal(undefined);
    expect(analyze(better)).to.deep.include({ deadNodes: [], fusionOpportunities: [], estimatedSpeedup: 1 });
  });
});

describe('the FusionPlanner example of the seed', () => {
  const model = graph({ x: input([64, 64]), w: input([64, 64]), b: input([64]) }, ({ x, w, b }) => ({
    elements: abs(neg(x)),
    total: sum(exp(x)),
    pairs: matmul(matmul(x, w), b),
    centred: add(x, mean(x, { axis: -1, keepdims: true })),
  })) as Graph;

  /** One line for each kind: a kind without one would not compile. */
  function describeKind(opportunity: FusionOpportunity): string {
    switch (opportunity.kind) {
      case 'ElementWise':
        return 'Can fuse element-wise ops';
      case 'Reduction':
        return `Can fuse reduction ops into #${opportunity.reduction}`;
      case 'Einsum':
        return `Can merge einsum operations #${opportunity.contractions.join(', #')}`;
      case 'ReductionElementWise':
        return `Can fuse what follows reduction #${opportunity.reduction}`;
      case 'MultiReduction':
        return `Can fuse ${opportunity.reductions.length} reductions`;
    }
  }

  it('E35: each kind of fusion is found once', () => {
    const planner = fusionPlanner();
    const opportunities = planner.findFusionOpportunities(model);
    const printed: string[] = [];

    for (const opportunity of opportunities) printed.push(describeKind(opportunity));

    expect(printed).to.deep.equal([
      'Can fuse element-wise ops',
      'Can fuse reduction ops into #6',
      'Can merge einsum operations #7, #8',
      'Can fuse what follows reduction #9',
    ]);
    expect(planner.validate(model, planner.plan(model))).to.deep.equal([]);
    expect(nodeCount(planner.fuse(model).graph)).to.be.lessThan(nodeCount(model));
  });
});
