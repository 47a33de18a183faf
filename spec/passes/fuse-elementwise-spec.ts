/** @file Elementwise fusion: which nodes join, which stay apart, and that no bit changes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, named, type GraphSymbol } from '../../src/graph/builder.js';
import { isOpNode, nodesOf, type Graph } from '../../src/graph/graph.js';
import { abs, add, einsum, evaluateSync, exp, mul, neg, relu, sigmoid, square, sub, sum } from '../../src/index.js';
import type { FusedStep } from '../../src/ops/fused.js';
import { eliminateDeadNodes, fuseElementwise } from '../../src/passes/index.js';
import { differentBits } from '../support/sameBits.js';
import { printed, rewritten, type Demands } from '../support/rewritten.js';
import { randomGraph } from '../support/random-graph.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const fusedBy = (g: unknown, demands?: Demands): Graph => rewritten(g as Graph, fuseElementwise, demands).graph;

/** The nodes that compute, as `name = op(operands)`; a fused one shows its steps, `0`, `1` … its operands, `.0`, `.1` … earlier steps. */
function shape(g: Graph): string[] {
  const names = printed(g).filter((line) => line.includes('='));
  const steps = [...nodesOf(g)].filter(isOpNode).map(({ inputs, params, op }) => {
    if (op !== 'fused') return op;
    const show = (arg: number): string => (arg < inputs.length ? String(arg) : `.${arg - inputs.length}`);
    return (params['steps'] as readonly FusedStep[]).map((step) => `${step.op}(${step.args.map(show).join()})`).join(' ');
  });
  return names.map((line, at) => `${line.replace(/ \{.*/, '').replace(/ +/g, ' ')}: ${steps[at]}`);
}

const chain = (count: number): Graph =>
  graph({ x: input([2]) }, ({ x }) => {
    let y: GraphSymbol = x;
    for (let at = 0; at < count; at++) y = at % 2 === 0 ? exp(y) : neg(y);
    return { y };
  });

describe('fuseElementwise', () => {
  it('joins a chain into one node, which keeps the id and the name of its last one', () => {
    const g = graph({ x: input([2, 3]) }, ({ x }) => ({ y: relu(named('b', add(named('a', exp(x)), x))) }));
    expect(printed(g)).to.deep.equal(['x   input [2, 3] float32', 'a   = exp(x)', 'b   = add(a, x)', 'y * = relu(b)']);
    const after = fusedBy(g);
    expect(shape(after)).to.deep.equal(['y * = fused(x): exp(0) add(.0,0) relu(.1)']);
    expect(after.outputs).to.deep.equal(g.outputs);
    expect(after.size).to.equal(g.size);
  });

  it('joins a diamond whose branches meet in the group', () => {
    const g = graph({ x: input([2]) }, ({ x }) => {
      const a = named('a', exp(x));
      return { y: add(named('b', neg(a)), named('c', square(a))) };
    });
    expect(shape(fusedBy(g))).to.deep.equal(['y * = fused(x): exp(0) neg(.0) square(.0) add(.1,.2)']);
  });

  it('leaves a value apart that is read outside of the group', () => {
    const g = graph({ x: input([2]) }, ({ x }) => {
      const a = named('a', exp(x));
      return { y: neg(a), z: sum(a) };
    });
    expect(shape(fusedBy(g))).to.deep.equal(['a = exp(x): exp', 'y * = neg(a): neg', 'z * = sum(a): sum']);
  });

  it('leaves a producer apart that its consumer repeats: it would be computed again for each element', () => {
    const g = graph({ x: input([1, 3]), v: input([3]), m: input([4, 3]), n: input(['n', 3]) }, ({ x, v, m, n }) => ({
      row: add(named('a', exp(x)), m),
      vector: mul(named('b', exp(v)), m),
      unknown: sub(named('c', exp(n)), m),
    }));
    expect(shape(fusedBy(g))).to.deep.equal([
      'a = exp(x): exp',
      'row * = add(a, m): add',
      'b = exp(v): exp',
      'vector * = mul(b, m): mul',
      'unknown * = fused(n, m): exp(0) sub(.0,1)',
    ]);
  });

  it('joins into each of several outputs, and never across one', () => {
    const g = graph({ x: input([2]) }, ({ x }) => {
      const y = exp(named('a', abs(x)));
      return { y, z: neg(named('b', sigmoid(y))) };
    });
    expect(shape(fusedBy(g))).to.deep.equal(['y * = fused(x): abs(0) exp(.0)', 'z * = fused(y): sigmoid(0) neg(.0)']);
  });

  it('never joins a value that is kept into another', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: neg(named('h', exp(named('a', abs(x))))) }));
    expect(shape(fusedBy(g, { keep: ['h'] }))).to.deep.equal(['h = fused(x): abs(0) exp(.0)', 'y * = neg(h): neg']);
  });

  it('stops at ops that are not elementwise, and goes on behind them', () => {
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({
      y: neg(named('c', exp(named('b', einsum('ij->j', named('a', relu(x))))))),
    }));
    expect(shape(fusedBy(g))).to.deep.equal(['a = relu(x): relu', 'b = einsum(a): einsum', 'y * = fused(b): exp(0) neg(.0)']);
  });

  it('has no group of more than maxFusedNodes', () => {
    for (const maxFusedNodes of [1, 2, 3, 7, 128]) {
      const after = fusedBy(chain(20), { maxFusedNodes });
      const sizes = [...nodesOf(after)]
        .filter(isOpNode)
        .map(({ op, params }) => (op === 'fused' ? (params['steps'] as unknown[]).length : 1));
      expect(Math.max(...sizes)).to.equal(Math.min(maxFusedNodes, 20));
      expect(sizes.reduce((a, b) => a + b)).to.equal(20);
      expect(sizes).to.have.length(Math.ceil(20 / maxFusedNodes));
    }
  });

  it('gives equal groups the same parameters, so that they are compiled once', () => {
    const [first, second] = [...nodesOf(fusedBy(chain(8), { maxFusedNodes: 4 }))].filter(isOpNode);
    expect(first.params).to.equal(second.params);
    expect(first.inputs).not.to.deep.equal(second.inputs);
  });

  it('finds nothing in a graph without neighbours to join', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) })) as Graph;
    expect(rewritten(g, fuseElementwise).report).to.deep.equal({
      pass: 'fuseElementwise',
      patches: [],
      inverse: [],
      rewrites: [],
    });
  });

  it('changes no bit of any output of random graphs, whatever the size of groups', () => {
    const levels = { none: { level: 'none' }, standard: { level: 'standard' } } as const;
    fc.assert(
      fc.property(randomGraph({ maxMoves: 20 }), fc.integer({ min: 1, max: 6 }), ({ graph: g, feeds }, maxFusedNodes) => {
        const expected = evaluateSync(g, feeds, levels.none);
        const small = rewritten(rewritten(g, eliminateDeadNodes).graph, fuseElementwise, { maxFusedNodes }).graph;
        for (const got of [evaluateSync(g, feeds, levels.standard), evaluateSync(small, feeds, levels.none)])
          for (const [name, value] of Object.entries(expected)) expect(differentBits(got[name], value), name).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(60, 2_000, 50_000) },
    );
  });
});
