/** @file Random graphs are valid, varied and fed. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isOpNode, nodesOf } from '../../src/graph/graph.js';
import { validate } from '../../src/graph/validate/validate.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';

describe('random graphs', () => {
  it('are sound: validate finds no error', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph }) => {
        expect(validate(graph).filter(({ severity }) => severity !== 'warning')).to.deep.equal([]);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 5_000, 100_000) },
    );
  });

  it('bring a feed of the declared type for each input', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph, feeds }) => {
        for (const node of nodesOf(graph)) {
          if (node.op !== 'input') continue;
          const type = inferTypes(graph)[node.id]!;
          expect([feeds[node.name!].shape, feeds[node.name!].dtype]).to.deep.equal([type.dims, type.dtype]);
        }
      }),
      { seed: propertySeed(), numRuns: 100 },
    );
  });

  it('use many ops', () => {
    const seen = new Set<string>();
    for (const { graph } of fc.sample(randomGraph(), { seed: propertySeed(), numRuns: 400 }))
      for (const node of nodesOf(graph)) if (isOpNode(node)) seen.add(node.op);
    expect(seen.size).to.be.greaterThan(40);
  });
});
