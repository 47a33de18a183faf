/** @file `fuse`: which groups each strategy joins, and that the graph still gives what it gave. */
import { expect } from 'chai';
import fc from 'fast-check';
import { abs, add, evaluateSync, exp, findFusionOpportunities, fuse, fusionPlanner, gradient, graph, input, isOpNode, js, matmul, mean, mul, named, neg, nodesOf, relu, revert, sqrt, square, steps, sub, sum, tensor, transpose, type FusionConfig, type FusionStrategy, type Graph, type GraphSymbol } from '../../../src/index.js'; // prettier-ignore
import { idOfKey } from '../../../src/graph/keys.js';
import { topology } from '../../../src/graph/topology.js';
import { findNode, nodeOf } from '../../../src/graph/graph.js';
import { applyPasses, fuseElementwise, fuseEpilogues, fuseFolds, mergeEinsums } from '../../../src/passes/index.js';
import { anyFusion, isReordered, STRATEGIES } from '../../support/anyFusion.js';
import { counting } from '../../support/countingBackend.js';
import { peakBytes } from '../../support/peakBytes.js';
import { plainGraph } from '../../support/plainGraph.js';
import { plantedGraph } from '../../support/planted.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { printed } from '../../support/rewritten.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';

const kernels = (g: Graph): number => [...nodesOf(g)].filter(isOpNode).length;
const row = { axis: -1, keepdims: true };

/** A dense layer of much work, one of little, a chain and a normalisation: to join them saves more or less. */
const model = graph({ x: input([64, 64]), w: input([64, 64]), b: input([64]) }, ({ x, w, b }) => {
  const centred = sub(x, mean(x, row));
  return {
    dense: relu(add(matmul(x, w), b)),
    large: neg(matmul(matmul(x, w), named('w2', exp(w)))),
    chain: abs(neg(exp(x))),
    normal: mul(centred, 2),
    spread: sqrt(mean(square(x), row)),
  };
}) as Graph;

const DEEP = { maxDepth: Infinity, maxSize: Infinity } as const;

describe('fuse', () => {
  it('joins less the more careful the strategy is; balanced is the default (F049)', () => {
    const left = STRATEGIES.map((strategy) => kernels(fuse(model, { strategy }).graph));
    console.log(`      kernels: ${kernels(model)} before, ${left.join(', ')} for ${STRATEGIES.join(', ')}`);
    expect(left[0]).to.be.greaterThan(left[2]);
    expect(left[1]).to.be.within(left[2], left[0]);
    expect(left[2]).to.be.lessThan(kernels(model));
    expect(plainGraph(fuse(model).graph)).to.deep.equal(plainGraph(fuse(model, { strategy: 'balanced' }).graph));
  });

  it('asks for the share of minBenefit, and for patterns where some are named (F049)', () => {
    const kinds = (config: FusionConfig): readonly string[] => fuse(model, config).plan.opportunities.map(({ patterns }) => patterns.join()); // prettier-ignore
    expect(kinds({ minBenefit: 1 })).to.deep.equal([]);
    expect(kinds({ minBenefit: 0 }).length).to.be.greaterThan(kinds({ minBenefit: 0.4 }).length);
    expect(kinds({ strategy: 'aggressive', patterns: ['MatMulBias'] })).to.deep.equal(['MatMulBias,BroadcastElementwise']);
    expect(kinds({ strategy: 'aggressive', patterns: ['ElementwiseChain'] }).length).to.be.greaterThan(0);
    expect(kinds({ patterns: [] })).to.deep.equal([]);
  });

  it('shows the graph before and after, and reports what takes it back', () => {
    const g = graph({ x: input([8]) }, ({ x }) => ({
      y: sum(named('b', abs(named('a', neg(x))))),
      z: relu(named('c', exp(x))),
    })) as Graph;
    const { graph: after, reports, plan } = fuse(g);
    const bare = (each: Graph): readonly string[] => printed(each).map((line) => line.replace(/ \{.*/, '').replace(/ +/g, ' '));
    expect(bare(g)).to.deep.equal([
      'x input [8] float32',
      'a = neg(x)',
      'b = abs(a)',
      'y * = sum(b)',
      'c = exp(x)',
      'z * = relu(c)',
    ]);
    expect(bare(after)).to.deep.equal(['x input [8] float32', 'y * = fusedFold(x)', 'z * = fused(x)']);
    expect(plan.opportunities.map(({ nodes }) => nodes)).to.deep.equal([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(reports.map(({ pass }) => pass)).to.deep.equal(['fuseFolds', 'fuseElementwise']);
    expect(plainGraph(revert(after, reports))).to.deep.equal(plainGraph(g));
  });

  it('runs one kernel for each group, and allocates nothing within it (F047)', () => {
    const x = tensor(Array.from({ length: 64 }, (_, k) => Array.from({ length: 64 }, (_each, i) => Math.sin(k * 64 + i))));
    const feeds = { x, w: x, b: tensor(Array.from({ length: 64 }, (_, k) => Math.cos(k))) };
    const { graph: after, plan } = fuse(model, { strategy: 'aggressive' });
    const { backend, taken } = counting();
    evaluateSync(model, feeds, { backend, level: 'none' });
    const before = taken();
    evaluateSync(after, feeds, { backend, level: 'none' });
    const spared = plan.opportunities.reduce((count, { nodes }) => count + nodes.length - 1, 0);
    expect([before, taken()]).to.deep.equal([kernels(model), kernels(model) - spared]);
    expect(steps(after, { level: 'none', backend }).length).to.equal(kernels(after));
    for (const { nodes } of plan.opportunities) for (const id of nodes.slice(0, -1)) expect(thrownBy(() => nodeOf(after, id)).code).to.equal('E_GRAPH'); // prettier-ignore
  });

  it('is the passes of the levels, with no limits and no choice', () => {
    const wanted = applyPasses(model, [mergeEinsums, fuseFolds, fuseElementwise, fuseEpilogues], {
      keep: [],
      maxFusedNodes: Infinity,
    }).graph;
    expect(plainGraph(fuse(model, { ...DEEP, strategy: 'aggressive' }).graph)).to.deep.equal(plainGraph(wanted));
  });

  it('leaves a group apart whose operand would have to stay until a peak, where memory counts (F049)', () => {
    // From the large x only a number a row is needed later: joined with its late reader, x would stay meanwhile.
    const g = graph({ f: input([256, 256]), w: input([256, 512]) }, ({ f, w }) => {
      const large = named('large', exp(f));
      const small = named('small', mean(large, row));
      const wide = named('wide', matmul(f, w));
      return { y: add(named('late', relu(small)), sum(wide)), z: relu(neg(w)) };
    }) as Graph;
    const peak = (strategy: FusionStrategy): number => peakBytes(fuse(g, { strategy, minBenefit: 0 }).graph);
    const joinsSmall = (strategy: FusionStrategy): boolean => fuse(g, { strategy, minBenefit: 0 }).plan.opportunities.some(({ nodes }) => nodes.includes(idOfKey(g, 'small')!)); // prettier-ignore
    console.log(`      peak: ${peakBytes(g)} bytes before, ${STRATEGIES.map(peak).join(', ')} for ${STRATEGIES.join(', ')}`);
    expect([joinsSmall('balanced'), joinsSmall('memoryAware')]).to.deep.equal([true, false]);
    expect(peak('memoryAware')).to.be.lessThan(peak('balanced'));
    expect(peak('memoryAware')).to.be.at.most(peakBytes(g));
  });

  it('knows that a view holds no memory of its own, where memory counts', () => {
    const g = graph({ f: input([64, 64]) }, ({ f }) => {
      const large = exp(f);
      const small = named('small', mean(transpose(large), row));
      const wide = named('wide', matmul(f, f));
      return { y: relu(small), z: add(sum(wide), sum(large)) }; // large stays until the end, whoever reads its view
    }) as Graph;
    const groups = fuse(g, { strategy: 'memoryAware', minBenefit: 0 }).plan.opportunities;
    expect(groups.some(({ nodes }) => nodes.includes(idOfKey(g, 'small')!))).to.equal(true);
  });

  it('merges contractions into one within the limits, aggressively alone; whole numbers and their gradients stay (F045, F049)', () => {
    const chain = graph({ a: input([6, 6]), v: input([6]) }, ({ a, v }) => {
      const powers = Array.from({ length: 5 }).reduce<GraphSymbol>((at) => matmul(at, a), a);
      return { y: matmul(powers, v) };
    }) as Graph;
    const sizes = (config: FusionConfig): readonly number[] =>
      fuse(chain, config).plan.opportunities.map(({ nodes }) => nodes.length);
    expect(sizes({ strategy: 'aggressive' })).to.deep.equal([3]);
    expect(sizes({ strategy: 'aggressive', maxDepth: 6 })).to.deep.equal([6]);
    expect(sizes({ strategy: 'aggressive', maxDepth: 6, maxSize: 4 })).to.deep.equal([4]);
    for (const strategy of ['conservative', 'balanced', 'memoryAware'] as const) expect(sizes({ strategy, maxDepth: 6 })).to.deep.equal([]); // prettier-ignore
    const feeds = { a: tensor(Array.from({ length: 6 }, (_, k) => Array.from({ length: 6 }, (_each, i) => ((k * 5 + i) % 3) - 1))), v: tensor([1, 2, 3, -1, 0, 2]) }; // prettier-ignore
    for (const make of [(g: Graph) => g, (g: Graph) => gradient(g, { of: 'y', wrt: ['a', 'v'], seed: 'ones' })]) {
      const [got, want] = [fuse(chain, { strategy: 'aggressive', maxDepth: 6 }).graph, chain].map((g) => evaluateSync(make(g), feeds, { level: 'none', backend: js() })); // prettier-ignore
      for (const [name, value] of Object.entries(want)) expect(got[name].toArray(), name).to.deep.equal(value.toArray());
    }
  });

  it('joins a chain of many nodes in order, without recursion and in one walk', () => {
    const n = propertyRuns(3_000, 60_000, 600_000);
    const chain = graph({ x: input([4]) }, ({ x }) => ({
      y: Array.from({ length: n }).reduce<GraphSymbol>((at) => neg(at), x),
    })) as Graph;
    const { graph: after, plan } = fuse(chain, { strategy: 'aggressive' });
    expect([plan.opportunities.length, kernels(after)]).to.deep.equal([n / 3, n / 3]);
    expect(kernels(fuse(chain, DEEP).graph)).to.equal(1);
  });

  it('refuses configurations that make no sense', () => {
    const wrong: readonly object[] = [{ maxDepth: 0 }, { maxSize: 1.5 }, { maxOperands: -1 }, { minBenefit: 2 }, { minBenefit: 'much' }, { strategy: 'bold' }, { patterns: ['ConvBNReLU'] }, { patterns: 'MatMulBias' }, { keep: ['nobody'] }, { costs: { memoryAccess: 1, compute: -1, launch: 1, bandwidth: 1 } }, { costs: { memoryAccess: 1, compute: 1, launch: 1 } }]; // prettier-ignore
    for (const config of wrong) expect(thrownBy(() => fuse(model, config as FusionConfig)).code, JSON.stringify(config)).to.equal('E_ARGUMENT'); // prettier-ignore
  });
});

describe('fuse, of random graphs', () => {
  const options = { seed: propertySeed(), numRuns: propertyRuns(40, 400, 5_000) };

  it('keeps to its limits, overlaps nowhere, validates, loses no bit, and can be taken back (F044, F049)', () => {
    let joined = 0;
    fc.assert(
      fc.property(plantedGraph(), anyFusion, ({ graph: g, feeds }, limits) => {
        const planner = fusionPlanner(limits);
        const { graph: after, plan, reports } = planner.fuse(g);
        const all = plan.opportunities.flatMap(({ nodes }) => nodes);
        expect(new Set(all).size).to.equal(all.length);
        for (const { nodes, depth } of plan.opportunities) {
          expect(nodes.length).to.be.within(2, limits.maxSize);
          expect(depth).to.be.at.most(limits.maxDepth);
        }
        joined += plan.opportunities.length;
        expect(planner.validate(g, plan)).to.deep.equal([]);
        expect(kernels(after)).to.equal(kernels(g) - all.length + plan.opportunities.length);
        expect(plainGraph(planner.fuse(g, plan).graph)).to.deep.equal(plainGraph(after));
        expect(plainGraph(revert(after, reports))).to.deep.equal(plainGraph(g));
        if (isReordered(g, limits.strategy)) return;
        const [got, want] = [after, g].map((each) => evaluateSync(each, feeds, { level: 'none', backend: js() }));
        for (const [name, value] of Object.entries(want)) expect(differentBits(got[name], value), name).to.equal(undefined);
      }),
      options,
    );
    expect(joined).to.be.greaterThan(options.numRuns / 4);
  });

  it('never raises the peak where memory counts, and never joins more by asking for more (F049)', () => {
    let inOrder = 0;
    fc.assert(
      fc.property(plantedGraph(), ({ graph: g }) => {
        const count = (strategy: FusionStrategy): number => kernels(fuse(g, { ...DEEP, strategy }).graph);
        const careful = fuse(g, { ...DEEP, strategy: 'memoryAware', minBenefit: 0 }).graph;
        // A graph whose nodes are not sorted by id may be executed in another order once some are gone.
        const left = topology(g).order.filter((id) => findNode(careful, id) !== undefined);
        if (left.join() === topology(careful).order.join()) {
          inOrder++;
          expect(peakBytes(careful)).to.be.at.most(peakBytes(g));
        }
        expect(count('conservative')).to.be.at.least(count('balanced'));
        expect(count('balanced')).to.be.at.least(count('aggressive'));
        expect(findFusionOpportunities(g, DEEP).length).to.equal(fuse(g, { ...DEEP, strategy: 'aggressive' }).plan.opportunities.length); // prettier-ignore
      }),
      options,
    );
    expect(inOrder).to.be.greaterThan(options.numRuns / 4);
  });
});
