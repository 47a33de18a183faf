/** @file `optimize` and `analyze`: what is applied, what is reported, and that it can be taken back. */
import { expect } from 'chai';
import fc from 'fast-check';
import { add, div, EinstreamError, evaluateSync, exp, FUSION_COSTS, graph, input, js, matmul, mul, named, neg, nodeCount, relu, steps, sub, sum, type Graph } from '../../src/index.js'; // prettier-ignore
import { isOpNode, nodesOf } from '../../src/graph/graph.js';
import { idOfKey } from '../../src/graph/keys.js';
import { analyze, eliminateDeadNodes, optimize, revert, type Level, type Pass } from '../../src/passes/index.js';
import { plainGraph } from '../support/plainGraph.js';
import { plantedGraph } from '../support/planted.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { printed } from '../support/rewritten.js';
import { ruleBase, ruleBaseFeeds } from '../support/ruleBase.js';
import { differentBits } from '../support/sameBits.js';
import { thrownBy } from '../support/thrownBy.js';

const LINE: readonly Level[] = ['none', 'basic', 'standard', 'aggressive'];

const example = graph({ x: input([100]), y: input([100]) }, ({ x, y }) => {
  named('dead', exp(y));
  const [a, b] = [named('a', mul(x, y)), named('b', mul(y, x))];
  return { z: sum(relu(add(a, named('c', neg(b))))) };
}) as Graph;
const id = (name: string): number => idOfKey(example, name)!;

/** Levels without what only joins kernels. */
const unfused = (g: Graph, level: Level): number =>
  [...nodesOf(optimize(g, { level, fusion: false, shapes: {} }).graph)].filter(isOpNode).length;

describe('optimize', () => {
  it('applies what it reports, and its reports take it back (F042)', () => {
    const { graph: after, reports, rounds } = optimize(example);
    expect(printed(after).map((line) => line.replace(/ \{.*/, ''))).to.deep.equal([
      'x   input [100] float32',
      'y   input [100] float32',
      'z * = fusedFold(x, y)',
    ]);
    expect(reports.map(({ pass, rewrites }) => [pass, rewrites.length])).to.deep.equal([
      ['eliminateDeadNodes', 1],
      ['eliminateCommonSubexpressions', 1],
      ['fuseFolds', 1],
    ]);
    expect(rounds).to.equal(2);
    expect(plainGraph(revert(after, reports))).to.deep.equal(plainGraph(example));
  });

  it('leaves out what its options say, and what saves less than is asked for', () => {
    const passes = (options: object): readonly string[] => optimize(example, options).reports.map(({ pass }) => pass);
    expect(passes({ fusion: false })).to.deep.equal(['eliminateDeadNodes', 'eliminateCommonSubexpressions']);
    expect(passes({ deadNodes: false, redundancy: false })).to.deep.equal(['fuseFolds']);
    expect(passes({ level: 'none' })).to.deep.equal([]);
    expect(passes({ keep: ['dead', 'b'] })).to.deep.equal(['fuseFolds']);
    expect(passes({ passes: [eliminateDeadNodes] })).to.deep.equal(['eliminateDeadNodes']);
    const fusions = (minFusionBenefit: number): boolean => passes({ minFusionBenefit }).includes('fuseFolds');
    const [{ benefit }] = analyze(example).fusionOpportunities;
    expect(benefit).to.be.within(0.2, 0.8);
    expect([fusions(benefit - 0.01), fusions(benefit + 0.01), fusions(0)]).to.deep.equal([true, false, true]);
  });

  it('goes on until nothing is left: what one pass leaves, another finds in the next round', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: sub(add(named('a', mul(x, 1)), 2), add(x, 2)) })) as Graph;
    const { graph: after, rounds } = optimize(g, { level: 'aggressive', fusion: false });
    expect(printed(after)).to.deep.equal(['x            input [2] float32', 'constant_3   constant [] float32', 'add_4        = add(x, constant_3)', 'y          * = sub(add_4, add_4)']); // prettier-ignore
    expect(rounds).to.be.greaterThan(1);
    expect(optimize(after, { level: 'aggressive', fusion: false }).reports).to.deep.equal([]);
  });

  it('takes passes of anybody’s, and says whose fault it is when one throws or never ends (J12)', () => {
    const renaming: Pass = { name: 'mine', rewrite: (g, edit) => void (g.metadata === undefined && edit((draft) => void (draft.metadata = { seen: 1 }))) }; // prettier-ignore
    expect(optimize(example, [renaming]).graph.metadata).to.deep.equal({ seen: 1 });
    const throwing: Pass = { name: 'broken', rewrite: () => { throw new TypeError('no such thing'); } }; // prettier-ignore
    const error = thrownBy(() => optimize(example, [throwing]));
    expect(error).to.be.instanceOf(EinstreamError).with.property('code', 'E_CONSUMER');
    expect(error.message).to.match(/pass \\?"broken.*a pass must not throw.*no such thing/s);
    let count = 0;
    const endless: Pass = { name: 'endless', rewrite: (_g, edit) => edit((draft) => void (draft.metadata = { count: count++ })) };
    expect(thrownBy(() => optimize(example, [endless])).message).to.match(/come to an end within 32 rounds.*endless/s);
    for (const options of [{ level: 'most' }, { minFusionBenefit: 2 }, { passes: [{}] }, { keep: ['nobody'] }])
      expect(thrownBy(() => optimize(example, options as never)).code, JSON.stringify(options)).to.equal('E_ARGUMENT');
  });

  it('can be taken back from random graphs, finds no more in what it gave, and changes no bit (J12)', () => {
    fc.assert(
      fc.property(plantedGraph(), fc.constantFrom<Level>('basic', 'standard'), ({ graph: g, feeds }, level) => {
        const { graph: after, reports } = optimize(g, { level, minFusionBenefit: 0 });
        expect(plainGraph(revert(after, reports))).to.deep.equal(plainGraph(g));
        expect(optimize(after, { level, minFusionBenefit: 0 }).reports).to.deep.equal([]);
        const [got, want] = [after, g].map((each) => evaluateSync(each, feeds, { level: 'none', backend: js() }));
        for (const [name, value] of Object.entries(want)) expect(differentBits(got[name], value), name).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(40, 500, 5_000) },
    );
  });
});

describe('analyze', () => {
  it('says what there is to gain, and leaves the graph as it is (F043)', () => {
    const before = printed(example);
    const { fusionOpportunities, deadNodes, redundantComputations, estimatedSpeedup } = analyze(example, { costs: FUSION_COSTS });
    expect(deadNodes).to.deep.equal([id('dead')]);
    expect(redundantComputations).to.deep.equal([{ kept: id('a'), redundant: [id('b')] }]);
    expect(fusionOpportunities.map(({ nodes, kind }) => [nodes.map((each) => nodesAt(each)), kind])).to.deep.equal([[['mul', 'neg', 'add', 'relu', 'sum'], 'Reduction']]); // prettier-ignore
    // Seven launches, 701 operations, 1,601 accesses; then one launch, four steps and a sum of 100 elements and its end, 201 accesses.
    const [separate, fused] = [7 * 10 + 701 * 0.1 + 1601, 10 + 501 * 0.1 + 201];
    expect(estimatedSpeedup).to.be.closeTo(separate / fused, 1e-9);
    expect(printed(example)).to.deep.equal(before);
  });

  it('never calls an output dead, nor a − b and b − a the same; of a + b and b + a one is redundant (F043)', () => {
    const g = graph({ a: input([2]), b: input([2]) }, ({ a, b }) => ({ s: add(a, b), t: add(b, a), d: sub(a, b), e: sub(b, a) })) as Graph; // prettier-ignore
    const { deadNodes, redundantComputations } = analyze(g);
    expect(deadNodes).to.deep.equal([]);
    expect(redundantComputations).to.deep.equal([{ kept: 2, redundant: [3] }]);
  });

  it('estimates a speedup of exactly 1 where it finds nothing', () => {
    const g = graph({ x: input(['n', 3]) }, ({ x }) => ({ y: sum(x) })) as Graph;
    expect(analyze(g)).to.deep.equal({ fusionOpportunities: [], deadNodes: [], redundantComputations: [], estimatedSpeedup: 1, reports: [] }); // prettier-ignore
  });

  it('reads the speedup off the shapes: more is saved where the doubled value is dear', () => {
    const twice = graph({ x: input(['n', 'n']), v: input(['n']) }, ({ x, v }) => ({ y: add(sum(matmul(x, x)), sum(matmul(x, x))), z: exp(v) })) as Graph; // prettier-ignore
    const at = (n: number): number => analyze(twice, { shapes: { x: [n, n], v: [n] }, costs: FUSION_COSTS }).estimatedSpeedup;
    expect(at(4)).to.be.greaterThan(1);
    expect(at(64)).to.be.within(at(4), 2.1);
    expect(at(64)).to.be.greaterThan(1.9);
  });

  it('knows the kinds of what would be joined, and what a group saves', () => {
    const g = graph({ x: input([8, 8]), b: input([8]) }, ({ x, b }) => ({ y: relu(add(matmul(x, x), b)), z: div(exp(x), 2) })) as Graph; // prettier-ignore
    const kinds = analyze(g).fusionOpportunities.map(({ kind }) => kind);
    expect(kinds).to.include('ElementWise');
    expect(analyze(g, { minFusionBenefit: 0 }).fusionOpportunities.map(({ kind }) => kind)).to.include('Einsum');
  });
});

describe('a soft-logic rule base of 50 rules over 10 predicates', () => {
  const g = ruleBase();

  it('has fewer nodes at each level, half of them from standard on (F031)', () => {
    const counts = LINE.map((level) => unfused(g, level));
    console.log(`      nodes: ${counts.join(', ')} at ${LINE.join(', ')}`);
    expect(counts).to.deep.equal([1044, 944, 326, 281]);
    expect(counts[2]).to.be.at.most(counts[1] / 2);
  });

  it('gives the same at all of them', () => {
    const want = evaluateSync(g, ruleBaseFeeds(), { level: 'none', backend: js() });
    for (const level of LINE) {
      const got = evaluateSync(g, ruleBaseFeeds(), { level, backend: js() });
      for (const [name, value] of Object.entries(want))
        expect(differentBits(got[name], value), `${level} ${name}`).to.equal(undefined);
    }
    expect(Object.keys(want)).to.have.length(46);
    expect(nodeCount(optimize(g).graph)).to.be.lessThan(nodeCount(g) / 2);
  });

  it('runs as fewer kernels the higher the level', () => {
    const kernels = LINE.map((level) => steps(g, { level, backend: js() }).length);
    console.log(`      kernels: ${kernels.join(', ')}`);
    kernels.slice(1).forEach((count, at) => expect(count).to.be.at.most(kernels[at]));
    expect(kernels[2]).to.be.lessThan(kernels[0] / 3);
  });
});

const nodesAt = (at: number): string => [...nodesOf(example)].find((node) => node.id === at)!.op;
