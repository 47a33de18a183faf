/**
 * @file The seed's chapter on the just-in-time executor, translated and executed.
 */
import { expect } from 'chai';
import { add, einsum, evaluateSync, graph, input, jit, js, relu, run, wasm } from '../../src/index.js';
import { from, map } from 'rxjs';
import { watch } from '../support/watch.js';

const model = graph({ x: input(['n', 3]), w: input([3, 2]) }, ({ x, w }) => ({
  y: relu(add(einsum('ni,io->no', x, w), 1)),
}));
const w = [[1, -1], [0, 2], [-3, 1]]; // prettier-ignore
const feeds = Array.from({ length: 12 }, (_, n) => ({ x: [[n, 1, n / 2]], w }));

describe('the just-in-time examples of the seed', () => {
  it('E09: threshold 10, cache 100, 12 runs: a hot path, a hit rate, the same values', async () => {
    for (const inner of [js(), await wasm(), undefined]) {
      const backend = jit(inner, { hotPathThreshold: 10, maxCacheSize: 100 });
      const seen = watch(from(feeds).pipe(run(model, { backend }), map(({ y }) => y.toArray()))); // prettier-ignore
      expect(seen.values).to.deep.equal(feeds.map((feed) => evaluateSync(model, feed, { backend: js() }).y.toArray()));
      const stats = backend.stats();
      expect(stats.hotPathsDetected).to.equal(1);
      expect(stats).to.include({ compilations: 1, cacheMisses: 11, cacheHits: 1, cacheHitRate: 1 / 12 });
      backend.clear();
      expect(backend.stats()).to.include({ hotPathsDetected: 0, compilations: 0, cacheHitRate: 0 });
    }
  });
});
