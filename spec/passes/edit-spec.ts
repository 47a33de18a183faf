/** @file Edits of a draft, chunk by chunk. */
import { expect } from 'chai';
import { evaluateSync, graph, input, isOpNode, neg, nodesOf, relu, type Graph } from '../../src/index.js';
import { CHUNK } from '../../src/graph/graph.js';
import { appendNodes } from '../../src/passes/edit.js';
import { applyPass, type Pass } from '../../src/passes/index.js';
import { contextFor } from '../support/rewritten.js';

/** As many nodes as asked for, the input included. */
const chain = (size: number): Graph =>
  graph({ x: input([2]) }, ({ x }) => {
    let y = relu(x);
    for (let k = 2; k < size; k++) y = k % 2 === 0 ? neg(y) : relu(y);
    return { y };
  });

/** Nodes that negate the input, behind the last one. */
const appending = (count: number): Pass => ({
  name: 'appending',
  rewrite: (g, edit) =>
    edit((draft) => appendNodes(draft, Array.from({ length: count }, (_, k) => ({ id: g.size + k, op: 'neg', inputs: [0], params: {} })))), // prettier-ignore
});

describe('appendNodes', () => {
  for (const size of [2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 7])
    it(`adds nodes behind ${size}, in chunks that nothing else has changed and in new ones`, () => {
      const g = chain(size);
      for (const count of [1, 2, CHUNK + 1]) {
        const { graph: after } = applyPass(g, appending(count), contextFor(g));
        expect([after.size, after.chunks.length]).to.deep.equal([size + count, Math.ceil((size + count) / CHUNK)]);
        expect([...nodesOf(after)].map(({ id }) => id)).to.deep.equal(Array.from({ length: size + count }, (_, id) => id));
        expect([...nodesOf(after)].slice(size).every((node) => isOpNode(node) && node.op === 'neg')).to.equal(true);
        expect(evaluateSync(after, { x: [1, -2] }).y.toArray()).to.deep.equal(evaluateSync(g, { x: [1, -2] }).y.toArray());
        expect([...nodesOf(g)]).to.have.length(size);
      }
    });
});
