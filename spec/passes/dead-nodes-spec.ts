/** @file Dead nodes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { constant, graph, input, named, param } from '../../src/graph/builder.js';
import { ancestors } from '../../src/graph/topology.js';
import { isOpNode, nodesOf } from '../../src/graph/graph.js';
import { eliminateDeadNodes } from '../../src/passes/index.js';
import { add, neg, relu } from '../../src/index.js';
import { ones, tensor } from '../../src/tensor/index.js';
import { printed, rewritten } from '../support/rewritten.js';
import { randomGraph } from '../support/random-graph.js';
import { propertyRuns, propertySeed } from '../support/property.js';

describe('eliminateDeadNodes', () => {
  it('removes nodes and constants that no output depends on, and leaves inputs and params', () => {
    const g = graph({ x: input([2]), unused: input([2]), w: param(ones([2])), c: constant(tensor([1, 2])) }, ({ x, c }) => {
      named('dead', neg(named('chain', add(x, c))));
      return { y: relu(x) };
    });
    expect(printed(g)).to.deep.equal([
      'x        input [2] float32',
      'unused   input [2] float32',
      'w        param [2] float32',
      'c        constant [2] float32',
      'chain    = add(x, c)',
      'dead     = neg(chain)',
      'y      * = relu(x)',
    ]);
    expect(printed(rewritten(g, eliminateDeadNodes).graph)).to.deep.equal([
      'x        input [2] float32',
      'unused   input [2] float32',
      'w        param [2] float32',
      'y      * = relu(x)',
    ]);
  });

  it('does nothing to a graph without them: no patches, the same graph', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
    const { graph: after, report } = rewritten(g, eliminateDeadNodes);
    expect(report).to.deep.equal({ pass: 'eliminateDeadNodes', patches: [], inverse: [], rewrites: [] });
    expect(after).to.equal(g);
  });

  it('leaves what is kept, and what that depends on', () => {
    const g = graph({ x: input([2]) }, ({ x }) => {
      named('kept', neg(named('below', relu(x))));
      return { y: add(x, 1) };
    });
    const { graph: after } = rewritten(g, eliminateDeadNodes, { keep: ['kept'] });
    expect(after).to.equal(g);
    expect(printed(rewritten(g, eliminateDeadNodes).graph).join('\n')).not.to.match(/kept|below/);
  });

  it('reports a patch for each chunk of 1,024 nodes that it changed, not for each node', () => {
    const g = graph({ x: input([2]) }, ({ x }) => {
      let dead = x;
      for (let i = 0; i < 3000; i++) dead = neg(dead);
      return { y: relu(x) };
    });
    expect(rewritten(g, eliminateDeadNodes).report.patches).to.have.length(3);
  });

  it('leaves exactly what outputs depend on, in random graphs', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g }) => {
        const { graph: after } = rewritten(g, eliminateDeadNodes);
        const live = ancestors(
          g,
          g.outputs.map(({ id }) => id),
        );
        for (const node of nodesOf(g)) {
          const stays = live[node.id] === 1 || (!isOpNode(node) && node.op !== 'constant');
          expect(after.chunks[0][node.id] !== undefined).to.equal(stays);
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(60, 2_000, 50_000) },
    );
  });
});
