/** @file What is reachable after many runs is what was before: heap and array buffers (B06). */
import { expect } from 'chai';
import { bufferCount, firstValueFrom, from, map, of, queueScheduler, toArray } from 'rxjs';
import { js } from '../../src/backends/index.js';
import { graph, input, param } from '../../src/graph/builder.js';
import { add, mul } from '../../src/ops/binary/index.js';
import { einsum } from '../../src/ops/einsum/einsum.js';
import { exp } from '../../src/ops/unary/index.js';
import { evaluate, evaluateSync, live, liveMemory, run } from '../../src/run/index.js';
import { paired } from '../../src/run/paired.js';
import { tensor } from '../../src/tensor/create.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { collected, reachable } from '../support/collect.js';
import { workload as g, workloadFeed as feed } from '../support/memoryWorkload.js';
import { propertyRuns } from '../support/property.js';
import { watch } from '../support/watch.js';
import { wasmKit } from '../support/wasmKit.js';

describe('nothing is left behind', function () {
  this.timeout(0);
  const slack = 2 ** 20;

  it('by reading: n reads of an output hold no buffer (bug-070)', () => {
    const { y, s } = evaluateSync(g, feed(1000));
    const before = reachable();
    let sum = 0;
    for (let at = 0; at < propertyRuns(2_000, 10_000, 10_000); at++)
      sum += Number(y.data[at % 1000]) + (s.toArray() as number[])[0];
    expect(sum).to.be.greaterThan(0);
    const after = reachable();
    expect(after.buffers - before.buffers).to.be.lessThan(1024);
    expect(after.heap - before.heap).to.be.lessThan(slack);
  });

  it('by a set that does not divide into batches (bug-071)', async () => {
    const rows = Array.from({ length: 33 }, () => feed(1).x);
    const predict = () =>
      firstValueFrom(
        from(rows).pipe(
          bufferCount(32),
          map((batch) => ({ x: concatRows(batch) })),
          run(g),
          toArray(),
        ),
      );
    await predict();
    const before = reachable();
    for (let at = 0; at < 200; at++) expect(await predict()).to.have.length(2);
    const after = reachable();
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    expect(after.buffers - before.buffers).to.be.lessThan(16 * 1024);
  });

  it('by many lengths: what is kept is bounded (bug-072)', () => {
    const backend = js({ cacheSize: 100 });
    const count = propertyRuns(110, 150, 150);
    const each = (from: number): void => {
      for (let n = from; n < from + count; n++) evaluateSync(g, feed(n), { backend });
    };
    each(1);
    each(1 + count);
    const before = reachable();
    each(1 + 2 * count);
    each(1 + 3 * count);
    const after = reachable();
    // 64 programs of somewhat longer feeds, and nothing for the others.
    expect(after.heap - before.heap).to.be.lessThan(slack);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 8 * 1000 * 3 * 4);
  });

  const cycles = propertyRuns(20, 50, 50);
  it(`by backends that come and go: create, run, close, ${cycles} times (bug-074)`, async () => {
    const cycle = async (): Promise<void> => {
      const backend = js();
      await evaluate(g, feed(200), { backend });
      await evaluate(g, feed(300), { backend, keep: ['h'] });
      await backend.close();
    };
    for (let at = 0; at < 10; at++) await cycle();
    const before = reachable();
    for (let at = 0; at < cycles; at++) await cycle();
    const after = reachable();
    expect(after.heap - before.heap).to.be.lessThan(slack);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 1024);
  });

  it('by graphs that come and go', () => {
    const once = (at: number): void => {
      const small = graph({ x: input([100]) }, ({ x }) => ({ y: mul(exp(x), at) }));
      evaluateSync(small, { x: new Float32Array(100) });
      watch(of({ x: new Float32Array(100) }).pipe(run(small)));
    };
    const count = propertyRuns(80, 300, 300);
    for (let at = 0; at < count; at++) once(at);
    const before = reachable();
    for (let at = 0; at < 2 * count; at++) once(at);
    const after = reachable();
    expect(after.heap - before.heap).to.be.lessThan(2 * slack);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 1024);
  });

  it('by large graphs that come and go where nobody names a backend, in the memory of either', async () => {
    const { backend: large, memory } = wasmKit();
    const backend = paired(js(), () => large, large.capabilities);
    const feeds = [{ x: new Float32Array(16_384) }, { x: new Float32Array(10) }, { x: tensor(new Float32Array(20_000)) }];
    const once = (at: number): void => {
      const wide = graph({ x: input([null]), w: param(tensor(new Float32Array([at]))) }, ({ x, w }) => ({
        y: add(mul(exp(x), w), einsum('i,i->', x, x)),
      }));
      const given = feeds.map(({ x }) => ({ x: x instanceof Float32Array ? tensor(x) : x }));
      given.forEach((each) => evaluateSync(wide, each, { backend }));
      watch(from(given).pipe(run(wide, { backend, outputs: 'borrow' })));
      watch(live(wide, { x: from(given.map(({ x }) => x)) }, { backend, scheduler: queueScheduler }));
    };
    const round = async (): Promise<number> => {
      for (let at = 0; at < propertyRuns(2, 8, 8); at++) once(at);
      await collected();
      return memory.used();
    };
    await round();
    const used = await round();
    const before = reachable();
    for (let at = 0; at < propertyRuns(1, 3, 3); at++) expect(await round()).to.be.at.most(used + 64 * 1024);
    const after = reachable();
    expect(after.heap - before.heap).to.be.lessThan(2 * slack);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 1024);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });
});

function concatRows(rows: readonly Tensor[]): Tensor {
  const data = new Float32Array(3 * rows.length);
  rows.forEach((row, at) => data.set(row.data as Float32Array, 3 * at));
  return tensor(data, { shape: [rows.length, 3] });
}
