/** @file The seed's spelling is the same functions. */
import { expect } from 'chai';
import { executor, graph, input, mul } from '../../src/index.js';
import { withSeedNames } from '../../src/executor/seed-names.js';

describe('the seed’s spelling of an executor’s methods', () => {
  it('is each name in lower case with lines between its words', () => {
    const both = withSeedNames({ runItAll: () => 1, close: () => 2 });
    expect(Object.keys(both)).to.deep.equal(['runItAll', 'close', 'run_it_all']);
    expect([both.run_it_all, both.close()]).to.deep.equal([both.runItAll, 2]);
  });

  it('stands for the same methods, typed alike', async () => {
    const engine = executor();
    for (const [lined, name] of [
      ['execute_batch', 'executeBatch'],
      ['execute_batch_parallel', 'executeBatchParallel'],
      ['optimal_batch_size', 'optimalBatchSize'],
      ['execute_stream', 'executeStream'],
      ['execute_chunk', 'executeChunk'],
      ['execute_async', 'executeAsync'],
      ['execute_batch_async', 'executeBatchAsync'],
      ['execute_stream_async', 'executeStreamAsync'],
      ['execute_with_recovery', 'executeWithRecovery'],
      ['save_checkpoint', 'saveCheckpoint'],
      ['load_checkpoint', 'loadCheckpoint'],
      ['compile_graph', 'compileGraph'],
      ['execute_compiled', 'executeCompiled'],
      ['execute_jit', 'executeJit'],
      ['get_jit_stats', 'getJitStats'],
      ['clear_jit_cache', 'clearJitCache'],
    ] as const)
      expect(engine[lined], lined).to.equal(engine[name]);
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, 2) }));
    const { byName } = await engine.execute_async(g, { x: [1, 2] });
    expect(byName.y.toArray()).to.deep.equal([2, 4]);
  });
});
