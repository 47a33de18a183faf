/**
 * @file The seed's examples on batches, streams, promises and recovery once more, by the methods and in the spelling of its traits.
 */
import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import {
  arange,
  executor,
  executorPool,
  graph,
  input,
  js,
  matmul,
  memoryStore,
  ones,
  reshape,
  RetryPolicy,
  sum,
  tanh,
  tensor,
  type Backend,
  type StreamingConfig,
  type Tensor,
} from '../../src/index.js';
import { buildPoolWorker } from '../support/builtPool.js';
import { virtually } from '../support/marbles.js';

const scores = graph({ x: input(['n', 4]) }, ({ x }) => ({ score: sum(x, { axis: 1 }) }));
const row = (k: number) => [k, 1, 2, 3];
const rows = (count: number) => Array.from({ length: count }, (_, k) => ({ x: row(k) }));
const batch_inputs = [1, 2, 3].map((k) => ({ x: [row(k)] }));
const scoresOf = (results: readonly { readonly outputs: { readonly score: Tensor } }[]) =>
  results.flatMap(({ outputs }) => outputs.score.toArray());

describe('the trait methods of the seed', () => {
  it('E04: execute_batch, execute_batch_parallel and optimal_batch_size', async () => {
    const engine = executor();
    const one = await engine.execute_batch(scores, batch_inputs);
    const four = await engine.execute_batch_parallel(scores, batch_inputs, { concurrency: 4 });
    for (const { outputs } of [one, four]) expect(outputs.map((each) => each!.score.toArray())).to.deep.equal([[7], [8], [9]]);
    expect(await engine.optimal_batch_size(scores, { memoryBudget: 1e6 })).to.be.within(1, 1024);
  });

  it('E05: execute_stream and execute_chunk give equal numbers', async () => {
    const engine = executor();
    const metadata = { chunkId: 0, startIdx: 0, endIdx: 20, size: 20, isLast: true };
    const whole = await engine.execute_chunk(scores, { x: reshape(arange(80), { shape: [20, 4] }) }, metadata);
    const each = Array.from({ length: 20 }, (_, k) => ({ x: [4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3] }));
    const results = await lastValueFrom(engine.execute_stream(scores, each, { chunk: { count: 7 } }).pipe(toArray()));
    expect(scoresOf(results)).to.deep.equal(whole.outputs.score.toArray());
  });

  it('E15: execute_with_recovery, with exponential(3, 100) in virtual time: all three kinds of results occur', async () => {
    const good = js();
    /** Fails as often as its feed says in its first element. */
    let left = 0;
    const backend: Backend = {
      ...good,
      compile(ir) {
        const kernel = good.compile(ir);
        const run: typeof kernel.run = (inputs, outputs) => {
          if (left-- > 0) throw new Error('a bad moment');
          return kernel.run(inputs, outputs);
        };
        return { ...kernel, run };
      },
    };
    const engine = executor({ backend, level: 'none', fallback: 'never' });
    const two = graph({ x: input([2]) }, ({ x }) => ({ total: sum(x), t: tanh(x) }));
    const printed: string[] = [];
    for (const [failures, strategy] of [
      [2, 'retry'],
      [4, 'partialResults'],
      [9, 'failFast'],
    ] as const) {
      left = failures;
      let result!: ReturnType<typeof engine.execute_with_recovery>;
      virtually(({ flush }) => {
        const config = { strategy, retryPolicy: RetryPolicy.exponential(3, 100) };
        result = engine.execute_with_recovery(two, { x: [1, 3] }, config);
        flush();
      });
      const answer = await result;
      if (answer.kind === 'success') printed.push(`Success after ${answer.stats.retries} retries`);
      else if (answer.kind === 'partialSuccess') printed.push(`Partial success: ${answer.failedNodes.length} nodes failed`);
      else printed.push(`Failed after ${answer.stats.retries} retries`);
    }
    expect(printed).to.deep.equal(['Success after 2 retries', 'Partial success: 1 nodes failed', 'Failed after 0 retries']);
  });

  it('E15: save_checkpoint and load_checkpoint', async () => {
    const [engine, store] = [executor(), memoryStore()];
    await engine.save_checkpoint(store, { epoch: 7, w: tensor([1, 2]) });
    const found = await engine.load_checkpoint(store);
    expect([found!['epoch'], (found!['w'] as Tensor).toArray()]).to.deep.equal([7, [1, 2]]);
  });

  it('E20: execute_async counts its outputs, and E21: execute_batch_async answers all inputs on a pool', async function () {
    this.timeout(60_000);
    buildPoolWorker();
    const engine = executor();
    const model = graph({ x: input(['n', 'n']) }, ({ x }) => ({ y: tanh(matmul(x, x)) }));
    const outputs = await engine.execute_async(model, { x: ones([3, 3]) });
    expect(`Got ${outputs.length} outputs`).to.equal('Got 1 outputs');
    const pool = await executorPool({ workers: 2 });
    try {
      const inputs = Array.from({ length: 10 }, (_, k) => ({ x: ones([k + 1, k + 1]) }));
      const all = await engine.execute_batch_async(model, inputs, { executor: pool, concurrency: 2 });
      expect(all.map(([y]) => y.shape[0])).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect([pool.stats().successful, pool.stats().peakConcurrent <= 2]).to.deep.equal([10, true]);
    } finally {
      await pool.close();
    }
  });

  it('E22: execute_stream_async, 4 at once and 100 waiting, reads no further ahead', async () => {
    let [read, ahead] = [0, 0];
    function* inputs() {
      for (let k = 0; k < 400; k++) yield (read++, { x: [row(k)] });
    }
    const config = { maxConcurrent: 4, backpressureThreshold: 100 };
    let taken = 0;
    await new Promise<void>((resolve, reject) =>
      executor()
        .execute_stream_async(scores, inputs(), config)
        .subscribe({ next: () => (ahead = Math.max(ahead, read - ++taken)), error: reject, complete: resolve }),
    );
    expect([read, taken]).to.deep.equal([400, 400]);
    expect(ahead).to.be.at.most(104);
  });

  it('E54: execute_batch_parallel of three, four at once: length and time', async () => {
    const result = await executor().execute_batch_parallel(scores, batch_inputs, { concurrency: 4 });
    const printed = [`Processed ${result.length} items`, `Batch time: ${result.totalTimeMs.toFixed(1)}ms`];
    expect(printed[0]).to.equal('Processed 3 items');
    expect(printed[1]).to.match(/^Batch time: \d+\.\dms$/);
    expect(result.totalTimeMs).to.be.greaterThan(0);
  });

  it('E55: execute_stream in adaptive chunks from 64, two read ahead', async () => {
    const config: StreamingConfig = { chunk: { adaptive: { initial: 64 } }, prefetch: 2 };
    const results = await lastValueFrom(executor().execute_stream(scores, rows(1000), config).pipe(toArray()));
    expect(results.map(({ metadata: { chunkId } }) => chunkId)).to.deep.equal(results.map((_, k) => k));
    expect([results[0].metadata.size, scoresOf(results).length]).to.deep.equal([64, 1000]);
  });
});
