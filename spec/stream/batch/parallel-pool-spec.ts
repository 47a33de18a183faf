/** @file Independent items over real workers, threads and child processes: at once, in order, each with its own failure (F014). */
import { expect } from 'chai';
import { from, lastValueFrom, take, toArray } from 'rxjs';
import {
  evaluateSync,
  executor,
  executorPool,
  graph,
  input,
  js,
  liveMemory,
  matmul,
  parallel,
  runBatch,
  tanh,
  type EinstreamError,
  type ExecutorPool,
} from '../../../src/index.js';
import { buildPoolWorker } from '../../support/builtPool.js';
import { expectBalanced } from '../../support/poolLedger.js';
import { differentBits } from '../../support/sameBits.js';

const g = graph({ x: input(['n', 'n']) }, ({ x }) => ({ y: tanh(matmul(x, x)) }));
const itemOf = (n: number) => ({ x: Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_each, j) => (i - j) / n)) });
/** Large ones first, so that results that did not wait for their turn would be out of order. */
const items = [40, 3, 30, 1, 20, 2, 10, 5, 7, 4].map(itemOf);
const odd = { x: [[1, 2, 3]] };

for (const kind of ['thread', 'process'] as const)
  describe(`parallel over a pool of two ${kind === 'thread' ? 'threads' : 'child processes'} (F014)`, function () {
    this.timeout(60_000);
    let over: ExecutorPool;
    before(async () => {
      buildPoolWorker();
      over = await executorPool({ workers: 2, kind, backend: 'js' });
    });
    after(() => over.close());

    it('gives each item what it has alone, bit for bit and in order, and both workers work', async () => {
      const results = await lastValueFrom(from(items).pipe(parallel(g, { over, concurrency: 4 }), toArray()));
      expect(results.map(({ index }) => index)).to.deep.equal(items.map((_, k) => k));
      results.forEach(({ outputs }, k) => {
        expect(differentBits(outputs!.y, evaluateSync(g, items[k], { backend: js() }).y)).to.equal(undefined);
      });
      const { peakConcurrent, workers } = over.stats();
      expect(peakConcurrent).to.be.within(2, 4);
      expect(workers.map(({ answered }) => answered > 0)).to.deep.equal([true, true]);
      expectBalanced(over);
    });

    it('lets an item that does not fit fail alone, or all with failFast', async () => {
      const some = [items[1], odd, items[3]];
      const alone = await runBatch(g, some, { over, concurrency: 3 });
      expect(alone.outputs.map((outputs) => outputs !== undefined)).to.deep.equal([true, false, true]);
      expect(alone.failures.map(({ index, error }) => [index, (error as EinstreamError).code])).to.deep.equal([[1, 'E_FEED']]);
      const failed = await runBatch(g, some, { over, failFast: true }).catch((error: EinstreamError) => error);
      expect(failed).to.have.property('code', 'E_FEED');
    });

    it('is left in the middle: what waits never starts, and nothing is held', async () => {
      const before = over.stats();
      const all$ = from([...items, ...items, ...items]).pipe(parallel(g, { over, concurrency: 2 }), take(3), toArray());
      expect((await lastValueFrom(all$)).map(({ index }) => index)).to.deep.equal([0, 1, 2]);
      await over.evaluate(g, items[3]);
      const { submitted, inFlight } = over.stats();
      expect(submitted - before.submitted).to.be.at.most(3 + 2 + 1);
      expect(inFlight).to.equal(0);
      expectBalanced(over);
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    });

    it('is what an executor’s execute_batch_parallel is given', async () => {
      const { outputs } = await executor().execute_batch_parallel(g, items, { over });
      expect(outputs.map((each) => each!.y.shape[0])).to.deep.equal([40, 3, 30, 1, 20, 2, 10, 5, 7, 4]);
    });
  });
