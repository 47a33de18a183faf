/**
 * @file The examples of the seed's chapter on streams, translated and executed.
 */
import { expect } from 'chai';
import { concatMap, lastValueFrom, map, toArray } from 'rxjs';
import { graph, input } from '../../src/graph/builder.js';
import { sum } from '../../src/ops/index.js';
import { runStreamAsync, type AsyncStreamStats } from '../../src/stream/index.js';
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
});
