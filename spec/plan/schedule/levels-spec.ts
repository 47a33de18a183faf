/** @file Levels of a graph: said once, whoever asks. */
import { expect } from 'chai';
import fc from 'fast-check';
import { add, compile, exp, graph, input, neg, schedule } from '../../../src/index.js';
import { levelsOf } from '../../../src/plan/schedule/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';

describe('levels', () => {
  it('are the groups of the parallel strategy, and those of a compilation (F050)', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g }) => {
        const of = (parallelism: boolean) => compile(g, { level: 'none', parallelism }).schedule;
        expect(of(true)).to.deep.equal(schedule(g, { strategy: 'parallel' }).parallelGroups);
        expect(of(false)).to.deep.equal(schedule(g).parallelGroups);
      }),
      { numRuns: propertyRuns(50, 500, 5_000), seed: propertySeed() },
    );
  });

  it('need no sizes, and put a node behind the last that it waits for', () => {
    const g = graph({ x: input(['n']) }, ({ x }) => ({ y: add(neg(exp(x)), exp(x)), z: neg(x) }));
    expect(levelsOf(g, 'together')).to.deep.equal([[1, 3, 5], [2], [4]]);
    expect(levelsOf(g, 'one')).to.deep.equal([[1], [2], [3], [4], [5]]);
    expect(
      levelsOf(
        graph({ x: input(['n']) }, ({ x }) => ({ x })),
        'together',
      ),
    ).to.deep.equal([]);
  });
});
