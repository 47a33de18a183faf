/** @file Constant folding: what becomes a constant, what is too much, and what fails only where it is run. */
import { expect } from 'chai';
import { add, broadcastTo, concat, constant, evaluateSync, exp, graph, input, js, matmul, max, mul, named, neg, ones, param, square, sum, tensor, zeros, type Graph, type GraphSymbol, type Tensor } from '../../src/index.js'; // prettier-ignore
import { findNode, isOpNode, nodesOf, type ConstantNode } from '../../src/graph/graph.js';
import { idOfKey } from '../../src/graph/keys.js';
import { applyPass, foldConstants } from '../../src/passes/index.js';
import { contextFor, printed, rewritten } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';

const ops = (g: Graph): readonly string[] => [...nodesOf(g)].filter(isOpNode).map(({ op }) => op);
const folded = (g: unknown): Graph => rewritten(g as Graph, foldConstants).graph;

describe('foldConstants', () => {
  it('makes a constant of what depends on constants alone; ids and names stay', () => {
    const g = graph({ x: input([2]), c: constant(tensor([1, 2])) }, ({ x, c }) => ({
      y: mul(x, named('b', exp(named('a', neg(c))))),
    }));
    expect(printed(g)).to.deep.equal(['x   input [2] float32', 'c   constant [2] float32', 'a   = neg(c)', 'b   = exp(a)', 'y * = mul(x, b)']); // prettier-ignore
    const after = folded(g);
    expect(printed(after)).to.deep.equal(['x   input [2] float32', 'c   constant [2] float32', 'a   constant [2] float32', 'b   constant [2] float32', 'y * = mul(x, b)']); // prettier-ignore
    const { value } = findNode(after, idOfKey(after, 'b')!) as ConstantNode;
    expect(differentBits(value, exp(neg(tensor([1, 2]))))).to.equal(undefined);
  });

  it('says which, leaves an output that is a constant readable, and keeps values', () => {
    const g = graph({ c: constant(tensor([3, 4])) }, ({ c }) => ({ y: sum(named('s', square(c))) })) as Graph;
    const { graph: after, report } = rewritten(g, foldConstants, { keep: ['s'] });
    expect(report.rewrites).to.deep.equal([1, 2].map((id) => ({ rule: 'of constants alone', from: [id], into: id })));
    expect(ops(after)).to.deep.equal([]);
    const options = { level: 'aggressive', backend: js(), keep: ['s'] } as const;
    const { y, s } = evaluateSync(g, {}, options);
    expect([y.toArray(), s.toArray()]).to.deep.equal([25, [9, 16]]);
  });

  it('leaves params, which a feed may override, and what middleware watches', () => {
    const g = graph({ w: param(tensor([1, 2])), c: constant(tensor(2)) }, ({ w, c }) => ({
      y: mul(neg(w), named('d', neg(c))),
    })) as Graph;
    expect(ops(folded(g))).to.deep.equal(['neg', 'mul']);
    const { graph: after } = applyPass(g, foldConstants, { ...contextFor(g, { keep: ['d'] }), apart: [idOfKey(g, 'd')!] });
    expect(after).to.equal(g);
  });

  it('does not blow a broadcast up, nor computes for long', () => {
    const left = (c: Tensor, build: (c: GraphSymbol) => GraphSymbol): readonly string[] =>
      ops(folded(graph({ x: input([]), c: constant(c) }, (given) => ({ y: mul(given.x, build(given.c)) }))));
    expect(left(tensor(1), (c) => broadcastTo(c, { shape: [8, 8] }))).to.deep.equal(['mul']);
    expect(left(tensor(1), (c) => broadcastTo(c, { shape: [64, 64] }))).to.deep.equal(['broadcastTo', 'mul']);
    expect(left(ones([4, 4]), (c) => sum(matmul(c, c)))).to.deep.equal(['mul']);
    expect(left(ones([128, 128]), (c) => sum(matmul(c, c)))).to.deep.equal(['matmul', 'sum', 'mul']);
    expect(left(zeros([2048]), (c) => concat([c, c], { axis: 0 }))).to.deep.equal(['concat', 'mul']);
    expect(left(zeros([2048]), (c) => neg(c))).to.deep.equal(['mul']);
  });

  it('leaves what fails to the run, which names its place; nobody may ask for it', () => {
    const g = graph({ x: input([]), none: constant(zeros([0, 2])), n: input(['n']) }, ({ x, none }) => ({ y: mul(x, 2), z: named('worst', max(none, { axis: 1 })) })) as Graph; // prettier-ignore
    expect(() => evaluateSync(g, { x: 1, n: [1] }, { level: 'aggressive' })).not.to.throw();
    const failing = graph({ c: constant(tensor([1, 2])) }, ({ c }) => ({ y: named('bad', sum(c, { axis: 0 })) })) as Graph;
    const broken = { ...failing, chunks: [[...nodesOf(failing)].map((node) => (isOpNode(node) ? { ...node, params: { axis: [7], keepdims: false } } : node))] } as Graph; // prettier-ignore
    expect(applyPass(broken, foldConstants, contextFor(broken)).report.patches).to.deep.equal([]);
  });

  it('is linear: a chain of constants of any length (G6)', () => {
    const g = graph({ c: constant(tensor(1)) }, ({ c }) => {
      let y: GraphSymbol = c;
      for (let k = 0; k < 3_000; k++) y = add(y, 1);
      return { y };
    }) as Graph;
    const { graph: after } = applyPass(g, foldConstants, contextFor(g));
    expect(ops(after)).to.deep.equal([]);
    expect((findNode(after, after.outputs[0].id) as ConstantNode).value.toArray()).to.equal(3_001);
  });
});
