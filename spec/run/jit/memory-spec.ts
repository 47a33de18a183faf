/** @file What a just-in-time tier holds on to, while shapes and graphs come without end. */
import { expect } from 'chai';
import { evaluateSync, graph, input, jit, js, mul, relu, sub, sum, type Graph } from '../../../src/index.js';
import { codeKit } from '../../support/codeKit.js';
import { propertyRuns } from '../../support/property.js';
import { wasmKit } from '../../support/wasmKit.js';

/** Four nodes, and as many kernels where none join; integers, so that every sum is exact. */
const apart = { initialLevel: 'none', hotLevel: 'none', adaptive: false } as const;
const NODES = 4;

const scaled = (k: number): Graph =>
  graph({ x: input(['n'], { dtype: 'int32' }) }, ({ x }) => ({ y: sum(mul(x, k)), z: relu(sub(x, k)) }));
const ramp = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Runs a graph with so many elements; true when the answer is wrong. */
function isWrong(g: Graph, k: number, n: number, backend: ReturnType<typeof jit>): boolean {
  const { y, z } = evaluateSync(g, { x: ramp(n) }, { backend });
  return y.data[0] !== (k * n * (n - 1)) / 2 || z.size !== n || z.data[n - 1] !== Math.max(0, n - 1 - k);
}

describe('jit and memory (F038, J6)', () => {
  it('keeps to its number of entries while shapes vary, frees what goes, and never answers with another shape’s code', function () {
    this.timeout(0);
    const count = propertyRuns(100, 10_000, 100_000);
    const shapes = (at: number): number => 1 + (at % Math.min(count, 100));
    const { backend: inner, memory } = wasmKit({ cacheSize: 50 });
    const kit = codeKit({ inner });
    const backend = jit(kit.backend, { hotPathThreshold: 1, maxCacheSize: 100, ...apart });
    let [wrong, most, held] = [0, 0, 0];
    // Many graphs, as one graph has few shapes of its own.
    for (let at = 0; at < count;) {
      const k = at / 20;
      const g = scaled(k);
      for (let shape = 0; shape < 20; shape++, at++)
        for (let time = 0; time < 3; time++) {
          if (isWrong(g, k, shapes(at), backend)) wrong++;
          most = Math.max(most, kit.alive());
        }
      if (at <= count / 2) held = memory.used();
    }
    console.log(
      `      ${count} shapes: ${kit.compiled()} kernels made, at most ${most} alive, ${memory.used()} bytes of wasm memory`,
    );
    expect(wrong).to.equal(0);
    expect(most).to.be.at.most(NODES * 101);
    expect(kit.compiled()).to.be.greaterThan(count);
    // What is held is for the shapes in the cache, whose sizes differ, and not for all that went through.
    expect(memory.used()).to.be.at.most(held * 1.5 + 2 ** 20);
    backend.clear();
    expect(kit.alive()).to.equal(0);
  });

  it('keeps to its bytes', () => {
    const kit = codeKit();
    // A program is 4 KiB for each kernel, and a few intermediate values.
    const backend = jit(kit.backend, { hotPathThreshold: 1, maxCacheBytes: 70_000, ...apart });
    for (let at = 0; at < 50; at++) {
      const g = scaled(at);
      for (let time = 0; time < 2; time++) expect(isWrong(g, at, 5, backend)).to.equal(false);
    }
    expect(backend.stats().compilations).to.equal(50);
    expect(kit.alive()).to.equal(NODES * 4);
  });

  it('lets go of what was run least lately, and compiles that again only after it was as hot as before', () => {
    const kit = codeKit();
    const backend = jit(kit.backend, { hotPathThreshold: 3, maxCacheSize: 2, profilingWindow: 2, ...apart });
    const graphs = [1, 2, 3].map(scaled);
    const runs = (at: number, count: number): number[] =>
      Array.from({ length: count }, () => {
        expect(isWrong(graphs[at], at + 1, 4, backend)).to.equal(false);
        return kit.ran();
      });
    expect([...runs(0, 4), ...runs(1, 4)]).to.deep.equal([0, 0, 0, NODES, 0, 0, 0, NODES]);
    runs(0, 5); // the older code, used lately
    expect(runs(2, 4)).to.deep.equal([0, 0, 0, NODES]);
    expect(runs(0, 1), 'kept').to.deep.equal([NODES]);
    expect(runs(1, 5), 'gone, and earned again').to.deep.equal([0, 0, 0, NODES, NODES]);
    expect(kit.alive()).to.equal(2 * NODES);
    expect(backend.stats()).to.include({ compilations: 4, recompilations: 1, hotPathsDetected: 3 });
  });

  it('keeps counts of paths within bounds too', () => {
    const backend = jit(js(), { maxCacheSize: 1, hotPathThreshold: 3 });
    const first = scaled(1);
    for (let time = 0; time < 2; time++) evaluateSync(first, { x: [1] }, { backend });
    for (let n = 2; n <= 11; n++) evaluateSync(first, { x: ramp(n) }, { backend });
    evaluateSync(first, { x: [1] }, { backend });
    expect(backend.stats().hotPathsDetected, 'ten other paths have pushed it out').to.equal(0);
  });
});
