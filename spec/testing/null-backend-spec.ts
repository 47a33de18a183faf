/** @file The null backend gives the right shapes and zeros; the dummy executor gives nothing (F135, E52). */
import { expect } from 'chai';
import fc from 'fast-check';
import { js } from '../../src/backends/index.js';
import { inferShapes } from '../../src/graph/shapes.js';
import { evaluateSync } from '../../src/run/index.js';
import { dummyExecutor } from '../../src/testing/dummy-executor.js';
import { nullBackend } from '../../src/testing/null-backend.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { graph, input } from '../../src/graph/builder.js';
import { relu } from '../../src/ops/unary/index.js';

describe('the null backend (F135)', () => {
  it('gives the shapes and dtypes of js, and nothing but zeros, for any graph', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g, feeds }) => {
        const wanted = evaluateSync(g, feeds, { backend: js() });
        const got = evaluateSync(g, feeds, { backend: nullBackend() });
        expect(Object.keys(got)).to.deep.equal(Object.keys(wanted));
        for (const [name, { dtype, shape, data }] of Object.entries(got)) {
          expect([dtype, shape]).to.deep.equal([wanted[name].dtype, wanted[name].shape]);
          expect(
            data.every((each) => Object.is(Number(each), 0)),
            name,
          ).to.equal(true);
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(30, 300, 3000) },
    );
  });

  it('checks feeds as any other backend', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
    expect(() => evaluateSync(g, { x: [1, 2, 3] }, { backend: nullBackend() })).to.throw(/declared size/);
  });
});

describe('the dummy executor (F135)', () => {
  const g = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(x) }));

  it('E52: gives empty outputs', async () => {
    expect([...dummyExecutor().execute(g, { x: [1] })]).to.deep.equal([]);
    expect(Object.keys(dummyExecutor().execute(g, { x: [1] }).byName)).to.deep.equal([]);
    expect([...(await dummyExecutor().executeAsync(g, { x: [1] }))]).to.deep.equal([]);
  });

  it('validates and infers as a real one, and takes hooks', () => {
    const executor = dummyExecutor();
    expect(executor.validate(g).isValid).to.equal(true);
    expect(executor.inferShapes(g, { x: [7] })).to.deep.equal(inferShapes(g, { x: [7] }));
    expect(executor.addHook({})).to.equal(executor);
    expect(executor.capabilities().name).to.equal('null');
  });
});
