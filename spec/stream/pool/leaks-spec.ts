/** @file Thousands of requests that end in every way leave nothing in the pool (R6) (R10) (L14). */
import { expect } from 'chai';
import { graph, input, mul } from '../../../src/index.js';
import { collected, reachable } from '../../support/collect.js';
import { expectBalanced, follow, settled } from '../../support/poolLedger.js';
import { propertyRuns } from '../../support/property.js';
import { scriptedPool, type Act } from '../../support/scriptedWorkers.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));

describe('a pool', function () {
  this.timeout(120_000);

  it('holds nothing after requests that succeed, fail, time out, are cancelled, or lose their worker (R6) (R10)', async () => {
    const acts: readonly Act[] = [{}, { ms: 1 }, { ms: 50, tileMs: 1 }, { ms: 500 }, { how: 'die' }, { how: 'silence' }];
    let at = 0;
    const { pool, pass, time, lives } = scriptedPool(
      { act: () => acts[at++ % acts.length] },
      { timeoutMs: 100, retry: { delayMs: 1 } },
    );
    const round = async (count: number): Promise<void> => {
      for (let k = 0; k < count; k++) {
        const request = follow(pool, g, k % 7 === 0 ? { x: 'wrong' as never } : { x: new Array<number>(250).fill(k) });
        if (k % 5 === 0) request.cancel();
        pass(1000);
        await settled();
        if (request.endings !== 1) expect(request.endings).to.equal(1);
      }
      // What the script remembers is none of the pool's.
      lives.splice(0, lives.length - 2);
      for (const { orders } of lives) orders.length = 0;
    };
    const count = propertyRuns(20, 1000, 10_000);
    await round(count);
    await collected();
    const before = reachable();
    await round(count);
    await collected();
    const after = reachable();
    expectBalanced(pool);
    expect(pool.stats()).to.include({ inFlight: 0, queued: 0, queuedBytes: 0, running: 0 });
    expect(after.buffers - before.buffers).to.be.lessThan(4 * 1024);
    console.log(`      ${count} requests: heap ${((after.heap - before.heap) / count).toFixed(0)} bytes each`);
    expect(after.heap - before.heap).to.be.lessThan(2 ** 19);
    await pool.close();
    pass();
    expect(time.actions).to.have.length(0);
  });
});
