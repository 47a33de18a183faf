/**
 * @file The seed's example of an execution strategy, translated and executed.
 */
import { expect } from 'chai';
import { einsum, executionStrategy, graph, input, optimizeForThroughput, relu, tensor, withStrategy } from '../../src/index.js';

describe('the strategy example of the seed', () => {
  it('E40: a strategy in five fields, optimised for throughput; the differences are printed, and the values are the same', async () => {
    const g = graph({ x: input([2, 3]), w: input([3, 2]) }, ({ x, w }) => ({ y: relu(einsum('ni,io->no', x, w)) }));
    const strategy = executionStrategy({
      mode: 'jit', // ExecutionMode::Graph, Eager, or JIT
      precision: 'float32',
      memory: 'optimize',
      parallelism: 'none',
      gradient: 'eager',
    });
    const { strategy: optimized, changes } = optimizeForThroughput(g, strategy, { batchSize: 128 });
    expect(changes.map(({ field, from, to, reason }) => `${field}: ${from} → ${to} (${reason})`)).to.deep.equal([
      'gradient: eager → {"accumulated":{"steps":4}} (a batch of 128 is 64 or more: it is learnt from in parts of 32)',
      'mode: jit → graph (all sizes are known: code is made once for all runs)',
    ]);
    expect(strategy.mode).to.equal('jit');
    const feeds = { x: tensor([[1, 2, 3], [-1, -2, -3]]), w: [[1, 0], [0, 1], [1, 1]] }; // prettier-ignore
    const [before, after] = [withStrategy(g, strategy), withStrategy(g, optimized)];
    expect([before.mode, after.mode]).to.deep.equal(['jit', 'graph']);
    for (const planned of [before, after]) expect((await planned.evaluate(feeds)).y.toArray()).to.deep.equal([[4, 5], [0, 0]]); // prettier-ignore
  });
});
