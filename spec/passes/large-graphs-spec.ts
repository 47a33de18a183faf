/** @file Graphs of more nodes than one chunk holds: passes reach into all of them. */
import { expect } from 'chai';
import fc from 'fast-check';
import { evaluateSync, gradient, js, type Graph, type Outputs } from '../../src/index.js';
import { CHUNK, nameOf, nodeOf } from '../../src/graph/graph.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { LEVELS, type Level } from '../../src/passes/index.js';
import { isFloating } from '../../src/tensor/dtype.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph, type RandomGraph } from '../support/random-graph.js';
import { differentBits } from '../support/sameBits.js';

const backend = js();

/** The first output at 'standard' that is not what it is at 'none'; what else levels do wrong is thrown. */
function firstDifference(g: Graph, feeds: RandomGraph['feeds']): string | undefined {
  const at = (level: Level): Outputs => evaluateSync(g, feeds, { level, backend });
  const [want, got] = [at('none'), at('standard')];
  at('aggressive');
  return Object.keys(want).find((name) => differentBits(got[name], want[name]) !== undefined);
}

/** The gradient of the first floating output by all floating inputs. */
function slope(g: Graph): Graph | undefined {
  const types = inferTypes(g);
  const isReal = (id: number): boolean => isFloating(types[id]!.dtype!);
  const of = g.outputs.find(({ id }) => isReal(id));
  const wrt = g.inputs.filter(isReal).map((id) => nameOf(nodeOf(g, id)));
  return of === undefined || wrt.length === 0 ? undefined : gradient(g, { of: of.name, wrt, seed: 'ones' });
}

describe('passes on graphs of several chunks', () => {
  const usual = fc.readConfigureGlobal();
  before(() => fc.configureGlobal({ ...usual, defaultSizeToMaxWhenMaxSpecified: true }));
  after(() => fc.configureGlobal(usual));

  it("change no bit on js up to 'standard', and run at every level; their gradients too (F031)", () => {
    expect(Object.keys(LEVELS)).to.deep.equal(['none', 'basic', 'standard', 'aggressive']);
    fc.assert(
      fc.property(randomGraph({ maxMoves: 3 * CHUNK }), ({ graph: g, feeds }) => {
        fc.pre(g.size > CHUNK);
        expect(firstDifference(g, feeds)).to.equal(undefined);
        const back = slope(g);
        if (back !== undefined) expect(firstDifference(back, feeds), 'gradients').to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(2, 40, 400), endOnFailure: true },
    );
  });
});
