/** @file Cancelling real workers at random moments: quiet soon, and nothing left behind (L8) (S7) (B01) (R6). */
import { expect } from 'chai';
import { filter, firstValueFrom } from 'rxjs';
import { executorPool, graph, input, matmul, type ExecutorPool, type Graph } from '../../../src/index.js';
import { buildScript } from '../../support/builtPool.js';
import { DEEDS } from '../../support/children/deeds.js';
import { collected, reachable } from '../../support/collect.js';
import { percentile } from '../../support/percentile.js';
import { expectBalanced } from '../../support/poolLedger.js';
import { isLarge, propertyRuns, propertySeed } from '../../support/property.js';

/** A hundred kernels of a millisecond: nothing joins them. */
const tiled = graph({ x: input([1, 1]), w: input([1, 1]) }, ({ x, w }) => {
  let y = x;
  for (let k = 0; k < 100; k++) y = matmul(y, w);
  return { y };
});
/** One kernel of a hundred milliseconds. */
const whole = graph({ x: input([1, 1]), w: input([1, 1]) }, ({ x, w }) => ({ y: matmul(x, w) }));
const feeds = (first: number) => ({ x: [[first]], w: [[1]] });

describe('cancelling a run of 100 ms (L8) (S7) (B01) (R6)', function () {
  this.timeout(600_000);
  let script: ReturnType<typeof buildScript>;
  before(() => {
    script = buildScript('spec/support/children/wildWorker.ts');
  });
  after(() => script.remove());

  let random = propertySeed();
  const next = (): number => (random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;

  /** Milliseconds from each cancellation until no worker computes, at random moments of a run. */
  async function cancelled(pool: ExecutorPool, g: Graph, deed: number, count: number): Promise<readonly number[]> {
    const waits: number[] = [];
    const quiet$ = pool.stats$.pipe(filter(({ running }) => running === 0));
    for (let k = 0; k < count; k++) {
      await firstValueFrom(pool.stats$.pipe(filter(({ health }) => health === 'ready')));
      const request = pool.evaluate(g, feeds(deed));
      let signals = 0;
      const ended = request.then(
        () => void signals++,
        () => void signals++,
      );
      await new Promise((resolve) => setTimeout(resolve, 90 * next()));
      const at = performance.now();
      request.cancel();
      await ended;
      expect(signals).to.equal(1);
      await firstValueFrom(quiet$);
      waits.push(performance.now() - at);
    }
    return waits;
  }
  /** Bytes of buffers. Those that were sent count as this thread's until the other one collects them, so that it does so, too. */
  async function buffersOf(pool: ExecutorPool): Promise<number> {
    await pool.evaluate(whole, feeds(DEEDS.collect));
    await collected();
    return reachable().buffers;
  }
  const handles = (): number => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length;

  for (const [how, g, deed, count, bound] of [
    ['in a hundred kernels: it stops between two', tiled, DEEDS.tile, propertyRuns(3, 300, 10_000), 5],
    ['in one kernel: its worker is replaced', whole, DEEDS.busy, propertyRuns(1, 30, 300), 150],
  ] as const) {
    // To replace a worker takes seconds.
    if (g === whole && !isLarge()) continue;
    it(how, async () => {
      const before = handles();
      const pool = await executorPool({ workers: 1, script: script.url, graceMs: g === tiled ? 10_000 : 50 });
      await pool.evaluate(g, feeds(1));
      const buffers = await buffersOf(pool);
      const waits = await cancelled(pool, g, deed, count);
      const stats = pool.stats();
      console.log(
        `      ${count} cancellations: ms until quiet p50 ${percentile(waits, 0.5)}, p99 ${percentile(waits, 0.99)} (goal ${bound}); ` +
          `${stats.replaced} workers replaced`,
      );
      expect((await pool.evaluate(g, feeds(3))).y.toArray()).to.deep.equal([[3]]);
      expectBalanced(pool);
      expect(stats).to.include({ inFlight: 0, running: 0, queued: 0, queuedBytes: 0, strays: 0 });
      // Two were asked for before.
      expect(stats.cancelled + stats.successful - 2).to.equal(count);
      expect((await buffersOf(pool)) - buffers).to.be.lessThan(4096);
      await pool.close();
      expect(handles()).to.be.at.most(before);
      // All the patience in the world: it stops by itself.
      if (g === tiled) expect(stats.replaced).to.equal(0);
      if (propertyRuns(0, 0, 1) === 1) expect(percentile(waits, 0.99)).to.be.at.most(bound);
    });
  }
});
