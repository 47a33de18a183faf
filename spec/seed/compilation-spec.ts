/**
 * @file The examples of the seed's chapter on compilation, translated and executed.
 */
import { expect } from 'chai';
import {
  compilationCache,
  compile,
  evaluateSync,
  exp,
  graph,
  input,
  named,
  neg,
  nodeCount,
  relu,
  type CompileOptions,
  type Graph,
} from '../../src/index.js';

const make = (): Graph =>
  graph({ x: input(['n']) }, ({ x }) => {
    named('unused', exp(x));
    return { y: relu(neg(exp(x))) };
  });

describe('the compilation examples of the seed', () => {
  it('E32: compile once, run three times; nodes before, after, and the reduction', () => {
    let compiles = 0;
    const compileOnce = (g: Graph, options?: CompileOptions) => {
      compiles++;
      return compile(g, options);
    };
    const g = make();
    const compiled = compileOnce(g);
    for (const x of [[0], [1, 2], [3, 4, 5]])
      expect(evaluateSync(compiled, { x }).y.toArray()).to.deep.equal(evaluateSync(g, { x }).y.toArray());
    expect(compiles).to.equal(1);
    const { nodesBefore, nodesAfter, reductionPercentage } = compiled.statistics;
    expect(`${nodesBefore} nodes, then ${nodesAfter}: ${reductionPercentage.toFixed(1)} % fewer`).to.equal(
      '5 nodes, then 2: 60.0 % fewer',
    );
    expect([nodeCount(g), nodeCount(compiled.graph)]).to.deep.equal([5, 2]);
  });

  it('E33: a compilation cache: a miss, then a hit, and the hit rate', () => {
    const cache = compilationCache({ max: 100 });
    const first = cache.getOrCompile(make(), { level: 'standard' });
    expect(cache.stats()).to.include({ misses: 1, hits: 0 });
    expect(cache.getOrCompile(make(), { level: 'standard' })).to.equal(first);
    const { hits, misses, hitRate } = cache.stats();
    expect(`Cache hits: ${hits}, misses: ${misses}, hit rate: ${100 * hitRate} %`).to.equal(
      'Cache hits: 1, misses: 1, hit rate: 50 %',
    );
  });
});
