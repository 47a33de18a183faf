/** @file Simplification: each rule by a graph before and after it, what must stay, and that names, outputs and kept values do. */
import { expect } from 'chai';
import { evaluateSync, add, exp, graph, input, js, mul, named, neg, sum, tensor, wasm, EinstreamError, type Graph, type Tensor } from '../../src/index.js'; // prettier-ignore
import { findNode } from '../../src/graph/graph.js';
import { applyPass, eliminateDeadNodes, simplify } from '../../src/passes/index.js';
import { EXACT_RULES } from '../../src/passes/simplify/exact.js';
import { FAST_RULES } from '../../src/passes/simplify/fast.js';
import { SHAPE_RULES } from '../../src/passes/simplify/shapes.js';
import { HOSTILE } from '../support/hostile.js';
import { caseGraph, EXACT_CASES, FAST_CASES, TRAPS, type RuleCase } from '../support/ruleCases.js';
import { contextFor, printed, rewritten } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';

/** How the output of a case is printed: its own line, or the name of what it reads. */
function outputOf(g: Graph): string {
  const { graph: live } = applyPass(g, eliminateDeadNodes, contextFor(g));
  const line = printed(live).find((each) => / \* /.test(each))!;
  return line.includes(' * = ') ? line.replace(/^.* \* = /, '') : line.replace(/ .*/, '');
}

/** Hostile numbers for each input, two at a time. */
const feedsOf = (at: number): Readonly<Record<string, Tensor>> => {
  const two = (dtype: 'float32' | 'float64' | 'int32' | 'bool', salt: number, count = 2): readonly number[] =>
    Array.from({ length: count }, (_, k) => HOSTILE[dtype][(at * (salt + 1) + k * 3 + salt) % HOSTILE[dtype].length]);
  return {
    x: tensor([...two('float32', 0)]),
    y: tensor([...two('float32', 4)]),
    i: tensor([...two('int32', 0)], { dtype: 'int32' }),
    j: tensor([...two('int32', 2)], { dtype: 'int32' }),
    b: tensor([...two('bool', 0)], { dtype: 'bool' }),
    d: tensor([...two('float64', 1)], { dtype: 'float64' }),
    m: tensor([[...two('float32', 0, 3)], [...two('float32', 2, 3)]]),
    n: tensor([...two('float32', 5)]),
  };
};

describe('simplify', () => {
  for (const { rule, build, after } of EXACT_CASES) {
    it(`${rule}: ${outputOf(caseGraph(build))} becomes ${after}, in all bits of hostile numbers (F031)`, () => {
      const g = caseGraph(build);
      const result = rewritten(g, simplify);
      expect(result.report.rewrites.map((each) => each.rule)).to.include(rule);
      expect(outputOf(result.graph)).to.equal(after);
      for (let at = 0; at < 17; at++) {
        const [got, want] = [result.graph, g].map(
          (each) => evaluateSync(each, feedsOf(at), { backend: js(), level: 'none' }).out,
        );
        expect(differentBits(got, want)).to.equal(undefined);
      }
    });
  }

  for (const { rule, build, after } of FAST_CASES) {
    it(`${rule}, with fastMath alone: ${outputOf(caseGraph(build))} becomes ${after}`, () => {
      const g = caseGraph(build);
      const { graph: fast, report } = applyPass(g, simplify, { ...contextFor(g), fastMath: true });
      expect(report.rewrites.map((each) => each.rule)).to.include(rule);
      expect(outputOf(fast)).to.equal(after);
      expect(printed(rewritten(g, simplify).graph)).to.deep.equal(printed(g));
      const feeds = { ...feedsOf(0), x: tensor([0.5, 2]), y: tensor([1.5, -3]) };
      const [got, want] = [fast, g].map((each) => evaluateSync(each, feeds, { backend: js(), level: 'none' }).out.data);
      want.forEach((value, k) => expect(Number(got[k])).to.be.closeTo(Number(value), 1e-6));
    });
  }

  it('has a case for every rule', () => {
    const named = (cases: readonly RuleCase[]) => [...new Set(cases.map(({ rule }) => rule))].sort();
    expect(named(EXACT_CASES)).to.deep.equal([...EXACT_RULES, ...SHAPE_RULES].map(({ name }) => name).sort());
    expect(named(FAST_CASES)).to.deep.equal(FAST_RULES.map(({ name }) => name).sort());
  });

  for (const { why, build } of TRAPS)
    it(`leaves ${outputOf(caseGraph(build))}: ${why} (J12)`, () => {
      const g = caseGraph(build);
      const { graph: after, report } = rewritten(g, simplify);
      expect(report.patches).to.deep.equal([]);
      expect(after).to.equal(g);
    });

  it('shows the graph before and after, in terms of ids that mean the same', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(named('c', mul(named('b', neg(named('a', neg(x)))), 1))) })) as Graph;
    expect(printed(g)).to.deep.equal([
      'x            input [2] float32',
      'a            = neg(x)',
      'b            = neg(a)',
      'constant_3   constant [] float32',
      'c            = mul(b, constant_3)',
      'y          * = sum(c) {"axis":null,"keepdims":false}',
    ]);
    const { graph: after, report } = rewritten(g, simplify);
    expect(printed(after)).to.deep.equal([
      'x            input [2] float32',
      'a            = neg(x)',
      'constant_3   constant [] float32',
      'y          * = sum(x) {"axis":null,"keepdims":false}',
    ]);
    expect(report.rewrites).to.deep.equal([
      { rule: '−(−x) = x', from: [2], into: 0 },
      { rule: 'x · 1 = x', from: [4], into: 0 },
    ]);
  });

  it('leaves a kept value where it is, and does not look past what middleware watches', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(named('b', neg(named('a', neg(x))))) })) as Graph;
    expect(printed(rewritten(g, simplify, { keep: ['b'] }).graph)).to.deep.equal(printed(g));
    expect(printed(applyPass(g, simplify, { ...contextFor(g, { keep: ['a'] }), apart: [1] }).graph)).to.deep.equal(printed(g));
    const { graph: seen } = rewritten(g, simplify, { keep: ['a'] });
    expect([findNode(seen, 1)!.op, findNode(seen, 3)!.inputs]).to.deep.equal(['neg', [0]]);
  });

  it('is what fastMath asks for, at level aggressive, on js and on wasm', async () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(mul(x, 0), 1) }));
    const x = [Infinity, 2];
    for (const backend of [js(), await wasm()]) {
      const at = (options: object) => evaluateSync(g, { x }, { backend, ...options }).y.toArray();
      expect(at({ level: 'aggressive', fastMath: true })).to.deep.equal([1, 1]);
      expect(at({ level: 'aggressive' })).to.deep.equal([NaN, 1]);
      expect(at({ fastMath: true })).to.deep.equal([NaN, 1]);
      await backend.close();
    }
    expect(() => evaluateSync(g, { x }, { fastMath: 1 as unknown as boolean })).to.throw(
      EinstreamError,
      /fastMath is true or false/,
    );
  });
});
