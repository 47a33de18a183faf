/** @file Levels: which passes run, in which order, and what they report. */
import { expect } from 'chai';
import { graph, input, named } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { exp, neg, relu } from '../../src/index.js';
import { applyPasses, LEVELS, type Level } from '../../src/passes/index.js';
import { contextFor, printed } from '../support/rewritten.js';

describe('levels', () => {
  const g = graph({ x: input([2]) }, ({ x }) => {
    named('dead', exp(x));
    return { y: relu(named('a', neg(x))) };
  }) as Graph;
  const at = (level: Level) => applyPasses(g, LEVELS[level], contextFor(g));

  it("'none' leaves the graph as given", () => {
    expect(at('none').graph).to.equal(g);
    expect(at('none').reports).to.deep.equal([]);
  });

  it("'basic' removes what is dead", () => {
    expect(printed(at('basic').graph)).to.deep.equal(['x   input [2] float32', 'a   = neg(x)', 'y * = relu(a)']);
  });

  it("'standard' fuses as well", () => {
    const { graph: after, reports } = at('standard');
    expect(printed(after).map((line) => line.replace(/ \{.*/, ''))).to.deep.equal(['x   input [2] float32', 'y * = fused(x)']);
    expect(reports.map(({ pass }) => pass)).to.deep.equal([
      'eliminateDeadNodes',
      'eliminateCommonSubexpressions',
      'fuseFolds',
      'fuseElementwise',
      'fuseEpilogues',
    ]);
  });

  it('each include the one before, in its order', () => {
    const passes = Object.values(LEVELS) as readonly (readonly { readonly name: string }[])[];
    passes.slice(1).forEach((level, k) => {
      const rest = [...level];
      for (const pass of passes[k]) expect(rest.splice(0, rest.indexOf(pass) + 1), pass.name).not.to.deep.equal([]);
    });
  });

  it('leave the graph that was given untouched', () => {
    const before = printed(g);
    at('standard');
    expect(printed(g)).to.deep.equal(before);
  });
});
