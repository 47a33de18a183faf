/** @file While workers compute, the thread that asked stays free (R11) (F021). */
import { expect } from 'chai';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { executorPool, graph, input, matmul } from '../../../src/index.js';
import { buildScript } from '../../support/builtPool.js';
import { DEEDS } from '../../support/children/deeds.js';
import { isLarge, propertyRuns } from '../../support/property.js';

const whole = graph({ x: input([1, 1]), w: input([1, 1]) }, ({ x, w }) => ({ y: matmul(x, w) }));

if (isLarge())
  describe('the event loop', function () {
    this.timeout(120_000);

    it('turns while both workers are in kernels of 100 ms (R11) (F021)', async () => {
      const script = buildScript('spec/support/children/wildWorker.ts');
      const pool = await executorPool({ workers: 2, script: script.url });
      await Promise.all([1, 2].map((x) => pool.evaluate(whole, { x: [[x]], w: [[1]] })));
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      let turns = 0;
      const ticking = setInterval(() => turns++, 1);
      const count = propertyRuns(6, 60, 600);
      await Promise.all(Array.from({ length: count }, () => pool.evaluate(whole, { x: [[DEEDS.busy]], w: [[1]] })));
      clearInterval(ticking);
      delay.disable();
      const { busyMs } = pool.stats().workers.reduce((sum, { busyMs: each }) => ({ busyMs: sum.busyMs + each }), { busyMs: 0 });
      await pool.close();
      script.remove();
      const ms = (share: number): number => Number((delay.percentile(share) / 1e6).toFixed(1));
      console.log(
        `      ${count} kernels, ${(busyMs / 1000).toFixed(1)} s of workers: loop delay p50 ${ms(50)}, p99.9 ${ms(99.9)} ms (goal 10); ${turns} turns`,
      );
      // Each kernel by itself would hold the loop for 100 ms: it turned several times in each.
      expect(turns).to.be.greaterThan(count);
      if (propertyRuns(0, 0, 1) === 1) expect(ms(99.9)).to.be.at.most(10);
    });
  });
