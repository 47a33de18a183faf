/** @file Compilation and jit by the facade: the operators' results, with the executor's options (F028, F035). */
import { expect } from 'chai';
import { evaluateSync, executor, exp, graph, input, js, neg, nodeCount, relu } from '../../src/index.js';
import { counting } from '../support/countingBackend.js';
import { thrownBy } from '../support/thrownBy.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(neg(exp(x))) }));
const feeds = { x: [0, 1] };
const wanted = evaluateSync(g, feeds).y.toArray();

describe('executor.compileGraph and executeCompiled (F028)', () => {
  it('compile once, for the executor’s backend and level, and run often', () => {
    const { backend, runs } = counting();
    const engine = executor({ backend, level: 'basic' });
    const compiled = engine.compileGraph(g);
    expect([compiled.level, compiled.backend, nodeCount(compiled)]).to.deep.equal(['basic', backend, 4]);
    expect(nodeCount(engine.compile_graph(g, { level: 'standard' }))).to.equal(2);
    for (let k = 1; k <= 3; k++) {
      expect(engine.executeCompiled(compiled, feeds)[0].toArray()).to.deep.equal(wanted);
      expect(runs()).to.equal(3 * k);
    }
    expect(engine.execute_compiled(compiled, { x: [] }).byName.y.shape).to.deep.equal([0]);
  });

  it('keep what the executor keeps', () => {
    const engine = executor({ backend: js(), keep: ['exp_1'] });
    expect(Object.keys(engine.executeCompiled(engine.compileGraph(g), feeds).byName)).to.deep.equal(['y', 'exp_1']);
  });
});

describe('executor.executeJit (F035)', () => {
  it('interprets at first, then computes, counts both, and forgets when it is told to', () => {
    const { backend, runs } = counting();
    const engine = executor({ backend });
    const config = { hotPathThreshold: 2 };
    expect(engine.getJitStats()).to.include({ compilations: 0, cacheHits: 0, cacheMisses: 0 });
    for (let k = 0; k < 4; k++) expect(engine.executeJit(g, feeds, config).byName.y.toArray()).to.deep.equal(wanted);
    expect(engine.getJitStats()).to.include({ hotPathsDetected: 1, compilations: 1, cacheHits: 1, cacheMisses: 3 });
    const hot = runs();
    expect(hot).to.be.greaterThan(0);
    engine.executeJit(g, feeds); // the configuration stays
    expect(runs()).to.be.greaterThan(hot);
    engine.clearJitCache();
    expect(engine.get_jit_stats()).to.include({ compilations: 0, cacheHits: 0 });
    const after = runs();
    engine.execute_jit(g, feeds);
    expect(runs(), 'interpreted again').to.equal(after);
  });

  it('has one configuration at a time', () => {
    const engine = executor({ backend: js() });
    engine.executeJit(g, feeds, { hotPathThreshold: 2 });
    const error = thrownBy(() => engine.executeJit(g, feeds, { hotPathThreshold: 3 }));
    expect(error.code).to.equal('E_ARGUMENT');
    expect(error.message).to.contain('clearJitCache');
    engine.clear_jit_cache();
    engine.executeJit(g, feeds, { hotPathThreshold: 3 });
  });
});
