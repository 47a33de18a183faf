/**
 * @file The examples of the seed's chapters on pools and on the estimate of memory, translated and executed.
 */
import { expect } from 'chai';
import { estimateMemory, evaluateSync, js, memoryPool, type Tensor } from '../../src/index.js';
import { mlpFeeds, mlpStep } from '../support/mlp-step.js';
import { weighed } from '../support/weighed.js';

describe('the memory examples of the seed', () => {
  it('E39: a pool: allocate, return, allocate again: half of the requests reuse (F073)', () => {
    const pool = memoryPool();
    const tensor: Tensor = pool.allocate([64, 10]);
    pool.deallocate(tensor);
    const again = pool.allocate([64, 10]);
    expect(again.buffer.array.buffer).to.equal(tensor.buffer.array.buffer);
    expect(`Reuse rate: ${(pool.stats().reuseRate * 100).toFixed(2)}%`).to.equal('Reuse rate: 50.00%');
  });

  it('E43: an estimate: peak memory and lifetimes, beside the peak that is measured (F096)', () => {
    const g = mlpStep();
    const estimate = estimateMemory(g, {}, { backend: js() });
    const { backend, taken } = weighed();
    const outputs = evaluateSync(g, mlpFeeds(), { backend });
    const measured = (estimate.inputBytes + taken()) / 2 ** 20;
    console.log(`      Peak memory: ${estimate.peakMb.toFixed(3)} MB, measured ${measured.toFixed(3)} MB`);
    expect(measured / estimate.peakMb).to.be.within(0.95, 1.05);
    const { lifetimes } = estimate;
    const steps = Math.max(...[...lifetimes.values()].map(({ last }) => last));
    console.log(`      Tensor lifetimes: ${[...lifetimes].slice(0, 4).map(([name, { first, last }]) => `${name} ${first}–${last}`).join(', ')} … of ${steps} steps`); // prettier-ignore
    const values = Object.keys(outputs).map((name) => (name === 'loss' ? name : `${name}.gradient`));
    for (const name of values) expect(lifetimes.get(name)!.last, name).to.equal(steps);
    expect([...lifetimes.values()].some(({ last }) => last < steps)).to.equal(true);
  });
});
