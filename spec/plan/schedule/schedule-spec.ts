/** @file Schedules: valid on every graph, and different by strategy. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  add,
  exp,
  graph,
  input,
  matmul,
  mul,
  parseGraph,
  relu,
  schedule,
  sum,
  transpose,
  type Graph,
  type Schedule,
  type SchedulingStrategy,
} from '../../../src/index.js';
import { findNode, isOpNode, nodesOf } from '../../../src/graph/graph.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { thrownBy } from '../../support/thrownBy.js';

const STRATEGIES: readonly SchedulingStrategy[] = ['sequential', 'parallel', 'costBased', 'minimizeMemory', 'balanced'];

/** What is wrong with a schedule, in words. */
function faultsOf(g: Graph, { nodeOrder, parallelGroups }: Schedule): readonly string[] {
  const ops = [...nodesOf(g)].filter(isOpNode).map(({ id }) => id);
  const faults: string[] = [];
  const done = new Set<number>();
  for (const group of parallelGroups) {
    for (const id of group)
      for (const operand of findNode(g, id)!.inputs)
        if (isOpNode(findNode(g, operand)!) && !done.has(operand))
          faults.push(`#${id} comes before its operand #${operand}, or beside it`);
    for (const id of group) {
      if (done.has(id)) faults.push(`#${id} comes twice`);
      done.add(id);
    }
  }
  for (const id of ops) if (!done.has(id)) faults.push(`#${id} is left out`);
  if (done.size > ops.length) faults.push('more than the nodes that compute');
  if (nodeOrder.join() !== parallelGroups.flat().join()) faults.push('the order is not that of the groups');
  return faults;
}

/** Two wide branches of three products each, which meet; and a cheap chain beside them. */
const branches = graph({ x: input([32, 32]), t: input([4]) }, ({ x, t }) => {
  const a = matmul(matmul(matmul(x, x), x), x);
  const b = matmul(matmul(matmul(transpose(x), x), x), x);
  return { y: add(a, b), s: sum(exp(mul(t, 2))) };
});

describe('schedule (F050)', () => {
  it('covers each node once, operands first, groups independent, on any graph and by each strategy', () => {
    fc.assert(
      fc.property(randomGraph(), fc.constantFrom(...STRATEGIES), fc.integer({ min: 1, max: 4 }), fc.nat(200), ({ graph: g }, strategy, workers, costThreshold) => {
        const made = schedule(g, { strategy, workers, costThreshold });
        expect(faultsOf(g, made)).to.deep.equal([]);
        expect(made.estimatedCost).to.be.at.least(strategy === 'costBased' ? made.criticalPath.cost * (1 - 1e-12) : 0);
      }),
      { numRuns: propertyRuns(100, 10_000, 100_000), seed: propertySeed() },
    ); // prettier-ignore
  });

  it('is topological where nodes are written in any order', () => {
    const text = JSON.stringify({
      tensors: ['x', 'c', 'b', 'a'],
      nodes: [
        { op: { ElemUnary: { op: 'relu' } }, inputs: [2], outputs: [1] },
        { op: { ElemUnary: { op: 'exp' } }, inputs: [3], outputs: [2] },
        { op: { ElemUnary: { op: 'abs' } }, inputs: [0], outputs: [3] },
      ],
      inputs: [0],
      outputs: [1],
    });
    const g = parseGraph(text);
    expect(schedule(g, { shapes: { x: [3] } }).nodeOrder).to.deep.equal([3, 2, 1]);
  });

  it('refuses a cycle, naming a path', () => {
    const text = JSON.stringify({
      tensors: ['x', 'a', 'b'],
      nodes: [
        { op: { ElemBinary: { op: 'add' } }, inputs: [0, 2], outputs: [1] },
        { op: { ElemUnary: { op: 'exp' } }, inputs: [1], outputs: [2] },
      ],
      inputs: [0],
      outputs: [2],
    });
    const error = thrownBy(() => schedule(parseGraph(text)));
    expect(error.code).to.equal('E_CYCLE');
    expect(error.message).to.match(/a.*b.*a|b.*a.*b/);
  });

  it('names the longest chain of nodes that wait for one another', () => {
    const g = graph({ x: input([4, 4]) }, ({ x }) => ({ y: add(matmul(matmul(x, x), x), relu(x)) }));
    expect(schedule(g).criticalPath).to.deep.equal({ nodes: [1, 2, 4], cost: 128 + 128 + 16 });
    expect(schedule(graph({ x: input([2]) }, ({ x }) => ({ x }))).criticalPath).to.deep.equal({ nodes: [], cost: 0 });
  });

  it('asks for sizes that the graph leaves open, naming the place and a way out', () => {
    const g = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(x) }));
    const error = thrownBy(() => schedule(g));
    expect(error.code).to.equal('E_SHAPE');
    expect(error.message).to.contain('shapes: { x:');
    expect(schedule(g, { shapes: { x: [5] } }).estimatedCost).to.equal(5);
  });

  it('refuses options of another kind', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
    for (const options of [{ strategy: 'best' }, { strategy: 'toString' }, { workers: 0 }, { workers: 1.5 }, { costThreshold: NaN }, { costThreshold: -1 }])
      expect(thrownBy(() => schedule(g, options as never)).code, JSON.stringify(options)).to.equal('E_ARGUMENT'); // prettier-ignore
  });

  it('takes time that grows with the graph, not faster', () => {
    const chain = (n: number) =>
      graph({ x: input([2]) }, ({ x }) => {
        let y = relu(x);
        for (let i = 1; i < n; i++) y = i % 3 === 0 ? add(y, x) : relu(y);
        return { y };
      });
    const n = propertyRuns(5_000, 20_000, 20_000);
    for (const strategy of STRATEGIES) expect(schedule(chain(n), { strategy }).nodeOrder).to.have.length(n);
  });
});

describe('the strategies of schedule (F051)', () => {
  it("'sequential' runs one after another, 'parallel' all of a level at once", () => {
    expect(schedule(branches).parallelGroups.every((group) => group.length === 1)).to.equal(true);
    const { parallelGroups, estimatedCost } = schedule(branches, { strategy: 'parallel', workers: 2 });
    expect(parallelGroups.map((group) => group.length)).to.deep.equal([3, 3, 3, 1, 1]);
    expect(estimatedCost).to.be.below(schedule(branches).estimatedCost * 0.7);
  });

  it("'costBased' leaves what is below the threshold alone, and puts the longest way first on the workers that there are", () => {
    const { parallelGroups } = schedule(branches, { strategy: 'costBased', workers: 2 });
    const cheap = new Set([...nodesOf(branches)].filter((node) => ['mul', 'exp', 'sum', 'transpose'].includes(node.op)).map(({ id }) => id));
    for (const group of parallelGroups) {
      expect(group.length).to.be.at.most(2);
      if (group.some((id) => cheap.has(id))) expect(group).to.have.length(1);
    }
    expect(parallelGroups.filter((group) => group.length === 2)).to.have.length(3);
    const all = schedule(branches, { strategy: 'costBased', workers: 2, costThreshold: 1e9 });
    expect(all.parallelGroups.every((group) => group.length === 1)).to.equal(true);
    const one = schedule(branches, { strategy: 'costBased', workers: 1 });
    expect(one.estimatedCost).to.equal(schedule(branches).estimatedCost);
  }); // prettier-ignore

  it("'balanced' moves what can wait to where least is to do", () => {
    // Four products at the first level, of which only one is waited for; two more levels have one product each.
    const g = graph({ x: input([16, 16]) }, ({ x }) => {
      const [a, b, c, d] = [matmul(x, x), matmul(x, x), matmul(x, x), matmul(x, x)];
      return { y: add(add(matmul(matmul(a, x), x), b), add(c, d)) };
    });
    const most = (strategy: SchedulingStrategy) =>
      Math.max(...schedule(g, { strategy }).parallelGroups.map((group) => group.length));
    expect(most('parallel')).to.equal(4);
    expect(most('balanced')).to.be.below(4);
    const cost = (strategy: SchedulingStrategy) => schedule(g, { strategy, workers: 2 }).estimatedCost;
    expect(cost('balanced')).to.be.below(cost('parallel'));
  });

  it("'minimizeMemory' holds fewer bytes than the order as written, and never more", () => {
    // Written breadth first: every square is there before the first sum.
    const g = graph({ x: input([8, 1000]) }, ({ x }) => {
      const wide = Array.from({ length: 8 }, (_, k) => mul(exp(x), k));
      return { y: wide.map((each) => sum(each)).reduce((total, each) => add(total, each)) };
    });
    const written = schedule(g).peakBytes;
    const { peakBytes } = schedule(g, { strategy: 'minimizeMemory' });
    console.log(`      ${written} bytes as written, ${peakBytes} in an order that holds few`);
    expect(peakBytes).to.be.below(written / 3);
    fc.assert(
      fc.property(randomGraph(), ({ graph: each }) => {
        expect(schedule(each, { strategy: 'minimizeMemory' }).peakBytes).to.be.at.most(schedule(each).peakBytes);
      }),
      { numRuns: propertyRuns(100, 5_000, 50_000), seed: propertySeed() },
    );
  });
});
