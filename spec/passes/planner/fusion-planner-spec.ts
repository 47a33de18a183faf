/** @file `fusionPlanner`: plans of its own and of others, checked and carried out. */
import { expect } from 'chai';
import { abs, add, exp, fusionPlanner, graph, input, matmul, mul, named, neg, nodeCount, nodeOf, relu, sum, type FusionPlan, type Graph } from '../../../src/index.js'; // prettier-ignore
import { thrownBy } from '../../support/thrownBy.js';

describe('fusionPlanner', () => {
  const g = graph({ x: input([32, 32]) }, ({ x }) => ({
    y: relu(named('n', neg(named('e', exp(x))))), // 1 → 2 → 3
    z: sum(named('a', abs(x))), // 4 → 5
    m: add(named('p', matmul(x, x)), named('q', mul(x, x))), // 6, 7 → 8
  })) as Graph;
  const planner = fusionPlanner({ strategy: 'aggressive', keep: ['q'] });
  const plan = planner.plan(g);
  const withNodes = (...groups: readonly (readonly number[])[]): FusionPlan => ({
    ...plan,
    opportunities: groups.map((nodes) => ({ ...plan.opportunities[0], nodes })),
  });
  const rules = (...groups: readonly (readonly number[])[]): readonly string[] => planner.validate(g, withNodes(...groups)).map(({ message }) => message); // prettier-ignore

  it('plans without changing anything, and carries out what it planned (F044)', () => {
    expect(plan.opportunities.map(({ kind, nodes }) => [kind, ...nodes])).to.deep.equal([['ElementWise', 1, 2, 3], ['Reduction', 4, 5], ['Einsum', 6, 8]]); // prettier-ignore
    expect(plan.separate - plan.fused).to.be.closeTo(plan.opportunities.reduce((saved, { cost }) => saved + cost.separate - cost.fused, 0), 1e-6); // prettier-ignore
    expect(plan.benefit).to.be.within(0.1, 0.9);
    expect([nodeCount(g), nodeCount(planner.fuse(g, plan).graph), nodeCount(planner.fuse(g).graph)]).to.deep.equal([9, 5, 5]);
    expect(planner.validate(g, plan)).to.deep.equal([]);
  });

  it('carries out some of a plan, and no more', () => {
    const some = { ...plan, opportunities: plan.opportunities.slice(1, 2) };
    const { graph: after, plan: done, reports } = planner.fuse(g, some);
    expect([nodeCount(after), done, reports.length]).to.deep.equal([8, some, 1]);
    expect(nodeCount(planner.fuse(g, { ...plan, opportunities: [] }).graph)).to.equal(9);
  });

  it('sums a product as the plan says: as a fold, or merged into a contraction', () => {
    const product = graph({ x: input([64, 1, 128]), w: input([32, 128]) }, ({ x, w }) => ({
      y: sum(mul(x, w), { axis: 2 }),
    })) as Graph;
    const made = ['balanced', 'aggressive'].map((strategy) => {
      const own = fusionPlanner({ strategy: strategy as 'balanced' });
      const drawn = own.plan(product);
      return [drawn.opportunities[0].kind, nodeOf(own.fuse(product, drawn).graph, product.outputs[0].id).op];
    });
    expect(made).to.deep.equal([
      ['Reduction', 'fusedFold'],
      ['Einsum', 'einsum'],
    ]);
  });

  it('says all that is wrong with a plan (F044)', () => {
    const cases: readonly (readonly [rule: RegExp, ...groups: readonly (readonly number[])[]])[] = [
      [/two or more nodes that compute/, [1]],
      [/two or more nodes that compute/, [0, 1]],
      [/two or more nodes that compute/, [98, 99]],
      [/one group, once/, [1, 2, 3], [2, 3]],
      [/one group, once/, [1, 1, 2, 3]],
      [/only the last node of a group is an output, or kept/, [3, 4, 5]],
      [/only the last node of a group is an output, or kept/, [7, 8]],
      [/only the last node of a group is read outside of it/, [1, 2], [4, 2, 5]],
    ];
    for (const [rule, ...groups] of cases) expect(rules(...groups).join(), JSON.stringify(groups)).to.match(rule);
    const small = fusionPlanner({ maxSize: 2, maxDepth: 2 });
    expect(small.validate(g, plan).map(({ message }) => message).join()).to.match(/at most 2 nodes[\s\S]*a chain has at most 2 nodes/); // prettier-ignore
  });

  it('finds groups that would wait for each other (F044)', () => {
    const crossed = graph({ x: input([4]) }, ({ x }) => {
      const [a, b] = [exp(x), neg(x)]; // 1, 2
      return { y: relu(b), z: abs(a) }; // 3, 4
    }) as Graph;
    expect(fusionPlanner().validate(crossed, withNodes([1, 3], [2, 4])).map(({ message }) => message).join()).to.match(/wait for each other/); // prettier-ignore
  });

  it('refuses a plan that is wrong, with all that is, and one that no pass carries out', () => {
    const error = thrownBy(() => planner.fuse(g, withNodes([1], [4, 5], [4, 5])));
    expect(error).to.have.property('code', 'E_ARGUMENT');
    expect(error.diagnostic.related).to.have.length.greaterThan(0);
    expect(thrownBy(() => planner.fuse(g, withNodes([2, 1, 3]))).message).to.match(/one that a pass joins/);
  });

  it('takes a broken graph for what it is', () => {
    const broken = { ...g, outputs: [] };
    for (const call of [
      () => planner.plan(broken),
      () => planner.fuse(broken),
      () => planner.fuse(broken, plan),
      () => planner.validate(broken, plan),
    ])
      // prettier-ignore
      expect(thrownBy(call).code).to.equal('E_GRAPH');
  });
});
