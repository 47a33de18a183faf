/** @file The cost model of fusions, by hand, and against the nodes that passes make. */
import { expect } from 'chai';
import fc from 'fast-check';
import { add, analyze, div, exp, findFusionOpportunities, fuse, FUSION_COSTS, fusionCost, graph, input, isOpNode, matmul, mul, neg, nodesOf, parseGraph, relu, sum, type FusionCostModel, type Graph, type GraphSymbol, type WorkKind } from '../../../src/index.js'; // prettier-ignore
import { givenShapes } from '../../../src/graph/shapes.js';
import { guessedTypes } from '../../../src/passes/estimate.js';
import { graphCost } from '../../../src/passes/graph-cost.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

describe('fusionCost (F048)', () => {
  const pair = graph({ x: input(['n'], { dtype: 'float64' }), y: input(['n']) }, ({ x, y }) => ({ z: mul(neg(x), y) })) as Graph;

  it('counts launches, operations, and accesses of four bytes, from inferred shapes', () => {
    // neg reads and writes 1,000 float64, mul reads 1,000 float64 and 1,000 float32 and writes 1,000 float64.
    const separate = 2 * 10 + 2 * 1000 * 0.1 + (2 * 8000 + 8000 + 4000 + 8000) / 4;
    // Joined, the result of neg is neither written nor read.
    const fused = 10 + 2 * 1000 * 0.1 + (8000 + 4000 + 8000) / 4;
    const cost = fusionCost(pair, [2, 3], { shapes: { x: [1000], y: [1000] } });
    expect(cost).to.deep.equal({ separate, fused, benefit: (separate - fused) / separate, bytesSaved: 16_000, secondsSaved: 16_000 / 1e11 }); // prettier-ignore
    expect([separate, fused]).to.deep.equal([9220, 5210]);
  });

  it('counts each combination of letters of a contraction twice, and what several ops on elements read once', () => {
    const g = graph({ x: input([8, 8]), b: input([8]) }, ({ x, b }) => ({ y: add(matmul(x, x), b), z: add(exp(x), x) })) as Graph;
    const dense = fusionCost(g, [2, 3]);
    expect(dense.separate).to.be.closeTo(2 * 10 + (2 * 512 + 64) * 0.1 + (64 * 3 + 64 * 2 + 8), 1e-9);
    expect(dense.fused).to.be.closeTo(10 + (2 * 512 + 64) * 0.1 + (64 * 2 + 8 + 64), 1e-9); // both operands are walked
    const twice = fusionCost(g, [4, 5]);
    expect(twice.bytesSaved).to.equal(4 * 64 * 3); // exp's result, written and read, and x the second time
  });

  it('reads all its weights', () => {
    const of = (change: Partial<FusionCostModel>) => fusionCost(pair, [2, 3], { shapes: { x: [1000], y: [1000] }, costs: { ...FUSION_COSTS, ...change } }); // prettier-ignore
    const usual = of({});
    expect(of({ launch: 110 }).separate - usual.separate).to.be.closeTo(200, 1e-9);
    expect(of({ compute: 1.1 }).fused - usual.fused).to.be.closeTo(2000, 1e-9);
    expect(of({ computeOf: { elementwise: 1.1, contraction: 7 } }).fused - usual.fused).to.be.closeTo(2000, 1e-9);
    expect(of({ memoryAccess: 2 }).fused - usual.fused).to.be.closeTo(5000, 1e-9);
    expect(of({ bandwidth: 1e3 }).secondsSaved).to.equal(16);
    // neg moves 16,000 bytes, mul and both in one 20,000: what is no more than the cache holds is cheaper.
    expect(of({ cacheAccess: 0, cacheBytes: 16_000 }).separate - usual.separate).to.be.closeTo(-4000, 1e-9);
    expect(of({ cacheAccess: 0, cacheBytes: 20_000 }).fused - usual.fused).to.be.closeTo(-5000, 1e-9);
    expect(of({ cacheBytes: 20_000 })).to.deep.equal(usual);
  });

  it('knows a function from an instruction, in groups too', () => {
    const g = graph({ x: input([1000]) }, ({ x }) => ({ y: neg(exp(x)), z: neg(div(x, 3)) })) as Graph;
    const of = (nodes: number[], change: Partial<Record<WorkKind, number>>) => fusionCost(g, nodes, { costs: { ...FUSION_COSTS, computeOf: change } }); // prettier-ignore
    const [function_, division] = [[1, 2], [4, 5]].map((nodes) => [of(nodes, { function: 5 }), of(nodes, { division: 2 })]); // prettier-ignore
    expect(function_.map(({ fused }) => fused)).to.deep.equal([10 + 1000 * (5 + 0.1) + 2000, 10 + 1000 * (0.1 + 0.1) + 2000]);
    expect(division[1].fused - division[0].fused).to.be.closeTo(1000 * (2 - 0.1), 1e-9);
    expect(analyze(g, { costs: { ...FUSION_COSTS, computeOf: { function: 1e6 } } }).estimatedSpeedup).to.be.closeTo(1, 0.001);
  });

  it('counts launches alone where no size is known, and 64 for one that nobody stated', () => {
    const unknown = parseGraph('{"tensors":["x","a","y"],"nodes":[{"op":{"ElemUnary":{"op":"neg"}},"inputs":[0],"outputs":[1]},{"op":{"ElemUnary":{"op":"relu"}},"inputs":[1],"outputs":[2]}],"inputs":[0],"outputs":[2]}'); // prettier-ignore
    expect(fusionCost(unknown, [1, 2])).to.deep.include({ separate: 20, fused: 10, benefit: 0.5, bytesSaved: 0 });
    expect(fusionCost(pair, [2, 3])).to.deep.equal(fusionCost(pair, [2, 3], { shapes: { x: [64], y: [64] } }));
  });

  it('refuses what are no nodes that compute, and weights that are no numbers', () => {
    for (const nodes of [[], [0, 2], [99], [2.5]]) expect(thrownBy(() => fusionCost(pair, nodes)).code).to.equal('E_ARGUMENT');
    for (const costs of [
      { ...FUSION_COSTS, launch: NaN },
      { ...FUSION_COSTS, bandwidth: 0 },
      { ...FUSION_COSTS, computeOf: { fold: -1 } },
      {},
    ])
      // prettier-ignore
      expect(thrownBy(() => fusionCost(pair, [2], { costs: costs as FusionCostModel })).code).to.equal('E_ARGUMENT');
  });

  it('foretells of ops on elements, and of contractions, exactly what the graph costs once it is fused', () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2, max: 40 }));
    fc.assert(
      fc.property(
        shape,
        fc.array(fc.nat(5), { minLength: 2, maxLength: 12 }),
        fc.boolean(),
        ([rows, columns], moves, contracts) => {
          const g = graph({ x: input([rows, columns]), w: input([columns, columns]), b: input([columns]) }, ({ x, w, b }) => {
            const start = contracts ? matmul(x, w) : exp(x);
            const steps: readonly ((at: GraphSymbol) => GraphSymbol)[] = [neg, relu, exp, (at) => add(at, b), (at) => mul(at, at), (at) => add(at, 2)]; // prettier-ignore
            return { y: moves.reduce((at, move) => steps[move](at), start) };
          }) as Graph;
          const { graph: after, plan } = fuse(g, { strategy: 'aggressive', maxDepth: 64, maxSize: 64 });
          const given = givenShapes(after, {});
          expect(plan.fused).to.be.closeTo(graphCost(after, guessedTypes(after, given), FUSION_COSTS).time, 1e-6 * plan.separate);
          for (const { nodes, cost } of plan.opportunities) expect(fusionCost(g, nodes).fused).to.be.closeTo(cost.fused, 1e-6 * cost.separate); // prettier-ignore
          expect(plan.fused).to.be.lessThan(plan.separate);
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(60, 1_000, 20_000) },
    );
  });

  it('is what analyze reckons with: the speedup, and what each opportunity saves (F043)', () => {
    const g = graph({ x: input([1000]) }, ({ x }) => ({ y: relu(neg(x)) })) as Graph;
    const { estimatedSpeedup, fusionOpportunities } = analyze(g, { costs: FUSION_COSTS });
    expect(estimatedSpeedup).to.be.closeTo(4220 / 2210, 1e-12);
    expect(fusionOpportunities).to.deep.equal(findFusionOpportunities(g));
    const dear = { ...FUSION_COSTS, launch: 1e6 };
    expect(analyze(g, { costs: dear }).estimatedSpeedup).to.be.closeTo(2, 0.01);
    expect([...nodesOf(g)].filter(isOpNode)).to.have.length(2);
    expect(analyze(graph({ x: input([8]) }, ({ x }) => ({ y: sum(x) })) as Graph).estimatedSpeedup).to.equal(1);
  });
});
