/**
 * @file The examples of the seed's chapter on streams, translated and executed.
 */
import { expect } from 'chai';
import { concatMap, lastValueFrom, map, toArray } from 'rxjs';
import { graph, input } from '../../src/graph/builder.js';
import { sum } from '../../src/ops/index.js';
import { reshape } from '../../src/ops/index.js';
import {
  optimalBatchSize,
  runBatch,
  runChunk,
  runStream,
  runStreamAsync,
  splitBatch,
  type AsyncStreamStats,
  type ChunkState,
  type StreamingConfig,
  type StreamResult,
} from '../../src/stream/index.js';
import { arange } from '../../src/tensor/index.js';
import type { Middleware } from '../../src/run/index.js';

const model = graph({ x: input(['n']) }, ({ x }) => ({ total: sum(x) }));

describe('the streaming examples of the seed', () => {
  it('E22: an asynchronous stream, 4 at once and 100 waiting: the peak of what is buffered is printed, and at most 100', async () => {
    async function* inputs() {
      for (let k = 0; k < 400; k++) {
        yield { x: [k, 1] };
        if (k % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 0)); // the source rests, the work goes on
      }
    }
    const later: Middleware = (step) => (frames$) =>
      frames$.pipe(
        concatMap((frame) => new Promise<typeof frame>((resolve) => setTimeout(() => resolve(frame), 0))),
        step,
      );
    let stats!: () => AsyncStreamStats;
    const outputs$ = runStreamAsync(model, inputs(), {
      maxConcurrent: 4,
      backpressureThreshold: 100,
      run: { use: [later] },
      stats: (read) => void (stats = read),
    });
    const totals = await lastValueFrom(
      outputs$.pipe(
        map(({ total }) => total.toArray()),
        toArray(),
      ),
    );
    expect(totals).to.deep.equal(Array.from({ length: 400 }, (_, k) => k + 1));
    const { peakBuffered, peakRunning, delivered } = stats();
    console.log(`    Peak buffered: ${peakBuffered}`);
    expect(peakBuffered).to.be.within(1, 100);
    expect([peakRunning, delivered]).to.deep.equal([4, 400]);
  });

  const scores = graph({ x: input(['n', 4]) }, ({ x }) => ({ score: sum(x, { axis: 1 }) }));
  const rowAt = (k: number) => ({ x: [k, 1, 2, 3] });
  function* rows(count: number) {
    for (let k = 0; k < count; k++) yield rowAt(k);
  }
  const streamed = (count: number, config: StreamingConfig): Promise<StreamResult[]> =>
    lastValueFrom(runStream(scores, rows(count), config).pipe(toArray()));
  const scoresOf = (results: readonly StreamResult[]) => results.flatMap(({ outputs }) => outputs['score'].toArray() as number[]);
  const sizesOf = (results: readonly StreamResult[]) => results.map(({ metadata: { size } }) => size);

  it('E04: a batch, a batch with four at once, and a size for batches that was measured', async () => {
    const batch = [1, 2, 3].map((k) => ({ x: [rowAt(k).x] }));
    const [one, four] = [await runBatch(scores, batch), await runBatch(scores, batch, { concurrency: 4 })];
    for (const { outputs } of [one, four]) expect(outputs.map((each) => each!.score.toArray())).to.deep.equal([[7], [8], [9]]);
    const size = await optimalBatchSize(scores, { memoryBudget: 1e6 });
    console.log(`    Suggested batch size: ${size}`);
    expect(size).to.be.within(1, 1024);
  });

  it('E05: a stream, and one single chunk, give equal numbers', async () => {
    const all = reshape(arange(80), { shape: [20, 4] });
    const metadata = { chunkId: 0, startIdx: 0, endIdx: 20, size: 20, isLast: true };
    const whole = await runChunk(scores, { x: all }, metadata);
    const each = splitBatch({ x: all }, 1).map(({ x }) => ({ x: reshape(x, { shape: [4] }) }));
    const results = await lastValueFrom(runStream(scores, each, { chunk: { count: 7 } }).pipe(toArray()));
    expect(scoresOf(results)).to.deep.equal(whole.outputs.score.toArray());
    expect(sizesOf(results)).to.deep.equal([7, 7, 6]);
  });

  it('E06: fixed chunks with two read ahead and a checkpoint each hundred, chunks of 512 MB, adaptive ones from 32', async () => {
    const states: ChunkState[] = [];
    const fixed = await streamed(64 * 201, { chunk: { count: 64 }, prefetch: 2, checkpointEvery: 100, onCheckpoint: (state) => states.push(state) }); // prettier-ignore
    expect(new Set(sizesOf(fixed))).to.deep.equal(new Set([64]));
    expect(states.map(({ chunkId, startIdx }) => [chunkId, startIdx])).to.deep.equal([
      [100, 6400],
      [200, 12_800],
    ]);
    const dynamic = await streamed(3000, { chunk: { bytes: 512e6 } });
    const adaptive = await streamed(3000, { chunk: { adaptive: { initial: 32 } } });
    console.log(`    Dynamic: ${sizesOf(dynamic).join()}; adaptive: ${sizesOf(adaptive).join()}`);
    expect(sizesOf(dynamic)).to.deep.equal([3000]); // all of it is far below
    expect(sizesOf(adaptive)[0]).to.equal(32);
    for (const results of [dynamic, adaptive])
      expect(scoresOf(results)).to.deep.equal(Array.from({ length: 3000 }, (_, k) => k + 6));
  });

  it('E54: a batch of three, four at once: its length and its time', async () => {
    const result = await runBatch(scores, [1, 2, 3].map((k) => ({ x: [rowAt(k).x] })), { concurrency: 4 }); // prettier-ignore
    console.log(`    Processed ${result.length} items\n    Batch time: ${result.totalTimeMs.toFixed(1)}ms`);
    expect([result.length, result.failures]).to.deep.equal([3, []]);
    expect(result.totalTimeMs).to.be.greaterThan(0);
  });

  it('E55: a large stream in adaptive chunks, two read ahead: id, size and time of each', async () => {
    const results = await streamed(2000, { chunk: { adaptive: { initial: 64 } }, prefetch: 2 });
    for (const { metadata, processingTimeMs } of results.slice(0, 3))
      console.log(`    Chunk ${metadata.chunkId}: ${metadata.size} items in ${processingTimeMs.toFixed(1)}ms`);
    expect(results.map(({ metadata: { chunkId } }) => chunkId)).to.deep.equal(results.map((_, k) => k));
    expect(sizesOf(results).reduce((total, size) => total + size, 0)).to.equal(2000);
    expect([sizesOf(results)[0], results.filter(({ metadata: { isLast } }) => isLast).length]).to.deep.equal([64, 1]);
  });
});
