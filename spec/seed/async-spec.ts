/**
 * @file The examples of the seed's chapter on asynchronous execution, translated and executed.
 */
import { expect } from 'chai';
import {
  balance,
  evaluateBatch,
  executorPool,
  graph,
  input,
  liveMemory,
  matmul,
  ones,
  tanh,
  type ExecutorPool,
} from '../../src/index.js';
import { buildPoolWorker } from '../support/builtPool.js';
import { scriptedPool } from '../support/scriptedWorkers.js';

const model = graph({ x: input(['n', 'n']) }, ({ x }) => ({ y: tanh(matmul(x, x)) }));
const small = { x: ones([2, 2]) };

describe('the asynchronous examples of the seed', function () {
  this.timeout(60_000);
  let executor: ExecutorPool;
  before(async () => {
    buildPoolWorker();
    executor = await executorPool({ workers: 2 });
  });
  after(() => executor.close());

  it('E20: async execute: the event loop turns while a kernel runs, and outputs are counted', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const outputs = await executor.evaluate(model, { x: ones([400, 400]) });
    clearInterval(ticking);
    expect(`Got ${Object.keys(outputs).length} outputs`).to.equal('Got 1 outputs');
    expect(turns).to.be.greaterThan(0);
  });

  it('E21: async batch: all inputs, a bounded number at a time', async () => {
    const batch = Array.from({ length: 10 }, (_, k) => ({ x: ones([k + 1, k + 1]) }));
    const outputs = await evaluateBatch(model, batch, { executor, concurrency: 2 });
    expect(outputs.map(({ y }) => y.shape[0])).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(executor.stats().peakConcurrent).to.be.at.most(2);
  });

  it('E23: an executor pool: four executors share the work', async () => {
    const four = [1, 2, 3, 4].map(() => scriptedPool({}, { workers: 1 }).pool);
    const pool = balance(four);
    await Promise.all(Array.from({ length: 12 }, () => pool.evaluate(model, small)));
    expect(four.map((each) => each.stats().successful).every((count) => count > 0)).to.equal(true);
    await pool.close();
  });

  it('E24: cancellation: cancel() stops a long run, nothing comes afterwards, buffers are back', async () => {
    const handle = executor.evaluate(model, { x: ones([900, 900]) });
    let heard = '';
    const ended = handle.then(
      () => (heard += 'answer'),
      (error: { readonly code: string }) => (heard += error.code),
    );
    handle.cancel();
    handle.cancel();
    await ended;
    await executor.evaluate(model, small);
    expect(heard).to.equal('E_ABORT');
    expect(executor.stats()).to.include({ inFlight: 0, cancelled: 1 });
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('E25: pool statistics: executions in all, and how long they waited on average', async () => {
    const { pool, pass } = scriptedPool({ act: () => ({ ms: 10 }) }, { workers: 1 });
    const all = [1, 2, 3].map(() => pool.evaluate(model, small));
    pass();
    await Promise.all(all);
    const stats = pool.stats();
    expect([`Total executions: ${stats.totalExecutions}`, `Average queue time: ${stats.avgQueueTimeMs}ms`]).to.deep.equal([
      'Total executions: 3',
      'Average queue time: 10ms',
    ]);
  });
});
