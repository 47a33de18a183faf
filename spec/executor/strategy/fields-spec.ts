/** @file Precision, memory and parallelism of a strategy, each value by what it changes (F079, F081, F082). */
import { expect } from 'chai';
import { asapScheduler, firstValueFrom, from, observeOn, tap, toArray } from 'rxjs';
import {
  add,
  einsum,
  estimateMemory,
  evaluateSync,
  exp,
  gradient,
  graph,
  input,
  js,
  matmul,
  memoryPool,
  named,
  ones,
  param,
  relu,
  run,
  sin,
  square,
  sub,
  sum,
  tensorCache,
  tanh,
  withStrategy,
  type ExecutionStrategy,
  type Graph,
  type GraphSymbol,
  type Runner,
} from '../../../src/index.js';
import { counting } from '../../support/countingBackend.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';
import { weighed } from '../../support/weighed.js';

const x = Float32Array.from({ length: 1000 }, (_, i) => i / 1000);

const deep = graph({ x: input([1000]) }, ({ x }) => {
  let y: GraphSymbol = x;
  for (let at = 0; at < 24; at++) y = named(`h${at}`, sin(y));
  return { y: sum(y) };
}) as Graph;

describe('the precision of a strategy (F081)', () => {
  const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(add(x, 1)) }));
  const feeds = { x: [2 ** 24, -(2 ** 24)] };

  it("'float32' is what the graph says; 'float64' keeps what that loses", async () => {
    const { y: narrow } = await withStrategy(g, {}).evaluate(feeds);
    const { y: wide } = await withStrategy(g, { precision: 'float64' }).evaluate(feeds);
    expect([narrow.dtype, narrow.toArray(), wide.dtype, wide.toArray()]).to.deep.equal(['float32', 1, 'float64', 2]);
  });

  it('is that of gradients too, which are rounded once, to the dtype of what they are by', async () => {
    const lossy = graph({ x: input([]) }, ({ x }) => ({ y: square(sub(add(x, 2 ** 24), 2 ** 24)) }));
    for (const how of ['full', 'eager'] as const) {
      const slope = async (precision: 'float32' | 'float64') =>
        (
          await withStrategy(lossy, { precision, gradient: how })
            .gradient({ of: 'y', wrt: ['x'] })
            .evaluate({ x: 1 })
        ).x;
      const [narrow, wide] = [await slope('float32'), await slope('float64')];
      expect([narrow.toArray(), wide.toArray(), wide.dtype]).to.deep.equal([0, 2, 'float32']);
    }
  });
});

describe('the memory of a strategy (F082)', () => {
  const bytesOf = (g: Graph, memory: ExecutionStrategy['memory'], feeds: object): number => {
    const { backend, taken } = weighed();
    void withStrategy(g, { memory }, { run: { backend, level: 'none' } }).evaluate(feeds as never);
    return taken();
  };

  it("'optimize' holds less than 'standard', of the same values", () => {
    // Buffers are shared by values of one size; in an arena one value may lie where another of some other size did.
    const uneven = graph({ x: input([64, 64]), v: param(ones([60])) }, ({ x, v }) => ({
      y: sum(exp(einsum('i,j->ij', sum(tanh(x), { axis: 1 }), v))),
    })) as Graph;
    const feeds = { x: Array.from({ length: 64 }, () => new Array<number>(64).fill(0.01)) };
    const [standard, optimize] = (['standard', 'optimize'] as const).map((memory) => bytesOf(uneven, memory, feeds));
    expect(optimize).to.be.lessThan(0.75 * standard);
  });

  it("'minimalPeak' lowers the measured peak of a gradient below 'optimize', and changes no bit", async () => {
    const backwards = gradient(deep, { of: 'y', wrt: ['x'] }) as Graph;
    const [optimize, minimal] = (['optimize', 'minimalPeak'] as const).map((memory) => bytesOf(backwards, memory, { x }));
    expect(minimal).to.be.lessThan(optimize / 2);
    const planned = withStrategy(deep, { memory: 'minimalPeak', gradient: 'full' }, { run: { backend: js(), level: 'none' } });
    const asked = { of: 'y', wrt: ['x'] };
    const { x: found } = await planned.gradient(asked).evaluate({ x });
    expect(differentBits(found, evaluateSync(backwards, { x }, { backend: js() }).x)).to.equal(undefined);
    const peakOf = (g: Graph) => estimateMemory(g, {}, { backend: js(), level: 'none' }).peakBytes;
    expect(peakOf(planned.gradient(asked).graph)).to.be.lessThan(peakOf(backwards));
  });

  it("'minimalPeak' orders nodes too: what is read soon is made late", () => {
    // Three wide values that are summed one by one: as written, all of them are held at once.
    const wide = graph({ x: input([1000]) }, ({ x }) => {
      const [a, b, c] = [exp(x), sin(x), tanh(x)];
      return { y: add(add(sum(exp(a)), sum(exp(b))), sum(exp(c))) };
    }) as Graph;
    const options = { backend: js(), level: 'none' } as const;
    const planned = withStrategy(wide, { memory: 'minimalPeak' }, { run: options });
    expect(estimateMemory(planned.graph, {}, options).peakBytes).to.be.at.most(
      estimateMemory(wide, {}, options).peakBytes - 2 * 4000,
    );
    expect(thrownBy(() => withStrategy(graph({ x: input(['n']) }, ({ x }) => ({ y: exp(x) })), { memory: 'minimalPeak' })).code).to.equal('E_SHAPE'); // prettier-ignore
  });

  it("'pooled' puts outputs into a pool's memory, which serves again when they are given back", async () => {
    const pool = memoryPool();
    for (const mode of ['graph', 'eager', 'jit', 'hybrid'] as const) {
      const planned = withStrategy(deep, { mode, memory: 'pooled' }, { pool });
      expect(planned.pool).to.equal(pool);
      const { allocations, reuses } = pool.stats();
      const first = await planned.evaluate({ x });
      const wanted = first.y.toArray();
      pool.deallocate(first.y);
      expect(thrownBy(() => first.y.data).code).to.equal('E_STALE');
      const second = await planned.evaluate({ x });
      expect(second.y.toArray()).to.equal(wanted);
      expect(pool.stats().allocations - allocations).to.equal(2);
      expect(pool.stats().reuses - reuses).to.be.at.least(1);
      pool.deallocate(second.y);
    }
    expect(pool.stats().live).to.equal(0);
    expect(withStrategy(deep, { memory: 'pooled' }).pool).not.to.equal(undefined);
    expect(withStrategy(deep, {}).pool).to.equal(undefined);
  });

  it("'cached' runs no kernel again for equal values, in each mode", async () => {
    for (const mode of ['graph', 'eager', 'lazy'] as const) {
      const { backend, taken } = counting();
      const cache = tensorCache();
      const planned = withStrategy(deep, { mode, memory: 'cached' }, { run: { backend }, cache });
      const first = (await planned.evaluate({ x })).y.toArray();
      expect(taken()).to.be.greaterThan(0);
      expect((await planned.evaluate({ x: x.slice() })).y.toArray()).to.equal(first);
      expect(taken(), mode).to.equal(0);
      expect(planned.cache).to.equal(cache);
      expect(cache.stats().hits).to.be.greaterThan(0);
    }
  });
});

/** As on a machine of so many processors. */
function onProcessors<T>(count: number, make: () => T): T {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { hardwareConcurrency: count }, configurable: true });
  try {
    return make();
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
    else Object.defineProperty(globalThis, 'navigator', before);
  }
}

describe('the parallelism of a strategy (F082)', () => {
  const SIZE = 128;
  /** Three chains of products, each of which is worth the way. */
  const branches = graph({ x: input([SIZE, SIZE]) }, ({ x }) => ({
    y: add(add(relu(matmul(matmul(x, x), x)), tanh(matmul(x, matmul(x, x)))), relu(matmul(matmul(x, exp(x)), x))),
  })) as Graph;
  const fed = { x: Array.from({ length: SIZE }, (_, i) => Array.from({ length: SIZE }, (__, k) => ((i + k) % 5) / 64)) };

  it("'auto' gives independent parts to a pool, at most one for each processor at a time", async () => {
    const threads = 2;
    let [now, most, parts] = [0, 0, 0];
    const over: Runner = {
      run: (g) => {
        parts++;
        return (feeds$) => {
          most = Math.max(most, ++now);
          return feeds$.pipe(
            run(g, { backend: js() }),
            observeOn(asapScheduler),
            tap(() => now--),
          );
        };
      },
    };
    const options = { over, run: { backend: js() } };
    const planned = onProcessors(threads, () => withStrategy(branches, { parallelism: 'auto' }, options));
    expect(parts).to.be.at.least(2);
    const { y } = await planned.evaluate(fed);
    expect(differentBits(y, evaluateSync(branches, fed, { backend: js() }).y)).to.equal(undefined);
    expect([most, planned.workers, withStrategy(branches, {}).workers]).to.deep.equal([2, 2, 1]);
    const asked = (workers: number, processors: number) =>
      onProcessors(processors, () => withStrategy(branches, { parallelism: 'auto' }, { ...options, workers }).workers);
    expect([asked(2, 8), asked(10_000, 8)]).to.deep.equal([2, 8]);
  });

  it("'none' takes no pool, and 'auto' no number of workers that is none", () => {
    const over: Runner = { run: (g) => run(g) };
    expect(thrownBy(() => withStrategy(branches, { parallelism: 'auto' }, { over, workers: 0 })).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => withStrategy(branches, {}, { over })).message).to.contain("over is for parallelism 'auto'");
    expect(thrownBy(() => withStrategy(branches, { parallelism: 'auto' }, { over, run: { use: [] } })).message).to.contain('this thread'); // prettier-ignore
  });

  it('streams as any operator does, in every mode that goes with it', async () => {
    const over: Runner = { run: (g) => run(g, { backend: js() }) };
    const wanted = evaluateSync(branches, fed, { backend: js() }).y;
    for (const mode of ['graph', 'jit', 'hybrid'] as const) {
      const all$ = from([fed, fed]).pipe(withStrategy(branches, { mode, parallelism: 'auto' }, { over, workers: 2, run: { backend: js() } }).run(), toArray()); // prettier-ignore
      for (const { y } of await firstValueFrom(all$)) expect(differentBits(y, wanted), mode).to.equal(undefined);
    }
  });
});
