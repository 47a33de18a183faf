/** @file Nodes of the interchange form stand in any order. */
import { expect } from 'chai';
import fc from 'fast-check';
import { equivalent } from '../../../../src/graph/canonical.js';
import { parseGraph } from '../../../../src/graph/formats/parse.js';
import { validate } from '../../../../src/graph/validate/validate.js';
import { binary, einsumNode, interchange, reduce, unary } from '../../../support/interchange.js';
import { propertyRuns, propertySeed } from '../../../support/property.js';

describe('the nodes of the interchange form', () => {
  it('reads nodes in any order to an equivalent graph (F142)', () => {
    const nodes = [
      unary('neg', 0, 2),
      binary('add', 0, 1, 3),
      binary('mul', 2, 3, 4),
      reduce('sum', [0], 4, 5),
      einsumNode('a,a->a', [2, 4], 6),
      unary('exp', 6, 7, 8),
    ];
    const text = (order: readonly (typeof nodes)[number][]) =>
      interchange({ tensors: 'xwabcdefg'.split(''), nodes: order, inputs: [0, 1], outputs: [5, 7, 8] });
    const straight = parseGraph(text(nodes));
    fc.assert(
      fc.property(fc.shuffledSubarray(nodes, { minLength: nodes.length }), (order) => {
        const graph = parseGraph(text(order));
        expect(validate(graph)).to.deep.equal([]);
        expect(equivalent(graph, straight)).to.equal(true);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 720, 5_000) },
    );
  });
});
