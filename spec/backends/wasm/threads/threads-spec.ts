/** @file Kernels computed by this thread and workers together: the same bits, the same errors, and nothing waits for long. */
import { expect } from 'chai';
import {
  einsum,
  evaluateSync,
  exp,
  gather,
  graph,
  input,
  parseGraph,
  serializeGraph,
  softmax,
  sum,
  tensor,
  transpose,
  wasm,
  type Backend,
} from '../../../../src/index.js';
import type { KernelIR } from '../../../../src/codegen/ir.js';
import { valueAt } from '../../../support/anyLayout.js';
import { buildWorker } from '../../../support/builtWorker.js';
import { isLarge, propertyRuns } from '../../../support/property.js';
import { differentBits } from '../../../support/sameBits.js';
import { threadedWasm, type ThreadedWasm } from '../../../support/threadedWasm.js';
import { thrownBy } from '../../../support/thrownBy.js';
import { placed } from '../../../support/wasmKit.js';

const numbers = (shape: readonly number[], salt: number) => {
  const count = shape.reduce((all, size) => all * size, 1);
  return tensor(
    Float32Array.from({ length: count }, (_, k) => valueAt('float32', 'plain', salt, k)),
    { shape },
  );
};
const g = graph({ x: input(['n', 'm']), w: input(['m', 48]) }, ({ x, w }) => ({
  product: einsum('ij,jk->ik', x, w),
  chance: softmax(x),
  columns: sum(x, { axis: 0 }),
  rows: sum(exp(x), { axis: 1 }),
  turned: exp(transpose(x)),
}));
const feeds = (n: number, m: number) => ({ x: numbers([n, m], n), w: numbers([m, 48], m) });

describe('a wasm backend with threads', () => {
  before(buildWorker);

  it('says how many there are, among its devices too, and computes without a promise', async () => {
    const backend = await wasm({ threads: 3, memoryLimit: 2 ** 22 });
    const { devices, remarks, asynchronous } = backend.capabilities;
    expect(devices.map(({ type }) => type)).to.deep.equal(['CPU', 'Worker', 'Worker']);
    expect([remarks[0], asynchronous]).to.deep.equal(['3 threads compute', false]);
    expect(evaluateSync(g, feeds(4, 5), { backend }).rows.shape).to.deep.equal([4]);
    await backend.close();
    expect(thrownBy(() => evaluateSync(g, feeds(4, 5), { backend })).code).to.equal('E_BACKEND');
    await backend.close();
  });

  it('gives the same bits for 1, 2, 3 and 4 threads, kernel by kernel (N7)', async function () {
    this.timeout(60_000);
    const whole = await wasm({ deterministic: true });
    const sizes = [[8, 17], [33, 100], [64, 257], [130, 64]] as const; // prettier-ignore
    for (const threads of isLarge() ? [2, 3, 4] : [3]) {
      const { backend, counted } = await threadedWasm({ threads });
      for (let turn = 0; turn < 3; turn++)
        for (const [n, m] of sizes) {
          const [one, more] = [whole, backend].map((each) => evaluateSync(g, feeds(n, m), { backend: each }));
          for (const name of Object.keys(one))
            expect(differentBits(more[name], one[name]), `${name} of ${n} by ${m}`).to.equal(undefined);
        }
      console.log(
        `        ${threads} threads: ${counted.kernels} kernels in ${counted.parts} parts, ${counted.own} of them here`,
      );
      expect(counted.kernels).to.be.greaterThan(30);
      expect(counted.own, 'workers took some').to.be.lessThan(counted.parts);
      await backend.close();
    }
  });
});

describe('kernels on two threads', function () {
  this.timeout(30_000);
  let kit: ThreadedWasm;
  let backend: Backend;
  before(async () => {
    kit = await threadedWasm({ pause: 5 });
    ({ backend } = kit);
  });
  after(() => backend.close());

  it('end in the error of one thread when a worker meets it (G12)', () => {
    const indices = graph({ x: input([7, 6]), i: input([64], { dtype: 'int32' }) }, ({ x, i }) => ({
      y: gather(x, i, { axis: 0 }),
    }));
    const [x, good] = [numbers([7, 6], 1), new Int32Array(64).fill(-1)];
    const before = kit.counted.kernels;
    for (const bad of [0, 63]) {
      const wrong = good.slice();
      wrong[bad] = 7;
      const errors = [backend, undefined].map((each) =>
        thrownBy(() => evaluateSync(indices, { x, i: tensor(wrong) }, { backend: each })),
      );
      expect(errors[0].message).to.equal(errors[1].message);
    }
    expect(evaluateSync(indices, { x, i: tensor(good) }, { backend }).y.shape).to.deep.equal([64, 6]);
    expect(kit.counted.kernels - before).to.equal(3);
  });

  /** Writes far beyond the memory. */
  const astray: KernelIR = {
    kind: 'nest',
    extents: [8, 2],
    outer: 2,
    inputs: [],
    folds: [],
    result: { kind: 'constant', value: 2 },
    emits: 'group',
    output: { dtype: 'float32', strides: [2 ** 26, 2 ** 25], offset: 2 ** 25 },
  };

  it('raise a trap as one thread does, and go on', async () => {
    const one = await wasm({ memoryLimit: 2 ** 20 });
    const trap = (on: Backend): unknown => {
      const kernel = on.compile(astray);
      try {
        void kernel.run([], [on.allocate([1], 'float32')]);
      } catch (error) {
        return error;
      } finally {
        kernel.dispose();
      }
      return undefined;
    };
    const [own, helped] = [trap(one), trap(backend)] as Error[];
    expect(own).to.be.instanceOf(WebAssembly.RuntimeError);
    expect([helped.constructor, helped.message]).to.deep.equal([own.constructor, own.message]);
    const rows = [backend, one].map((each) => evaluateSync(g, feeds(8, 17), { backend: each }).rows);
    expect(differentBits(rows[0], rows[1])).to.equal(undefined);
  });

  it('give tensors over shared memory that are as good as any: as data, as params, as text, as copies', () => {
    const x = placed(backend, [2, 2], [1, 2, 3, 4]);
    expect(x.data.buffer).to.be.instanceOf(SharedArrayBuffer);
    expect(x.toArray()).to.deep.equal([[1, 2], [3, 4]]); // prettier-ignore
    expect(tensor(x.data).toArray()).to.deep.equal([1, 2, 3, 4]);
    expect(transpose(x).data).to.deep.equal(new Float32Array([1, 3, 2, 4]));
    const held = graph({ y: input([2, 2]) }, ({ y }) => ({ z: einsum('ij,jk->ik', y, x) }));
    const read = parseGraph(serializeGraph(held));
    for (const each of [held, read]) {
      const { z } = evaluateSync(each, { y: x }, { backend }) as { readonly z: typeof x };
      expect(z.toArray()).to.deep.equal([[7, 10], [15, 22]]); // prettier-ignore
      expect(z.data.buffer, 'what is handed out is an ordinary array').to.be.instanceOf(ArrayBuffer);
    }
    expect(evaluateSync(held, { y: x }).z.toArray()).to.deep.equal([[7, 10], [15, 22]]); // prettier-ignore
  });

  it('free their memory when they are disposed of, or dropped, and a module that nobody uses is forgotten', async () => {
    const small = await threadedWasm({ cacheSize: 2, pause: 0, limit: 2 ** 24 });
    const map = (step: number): KernelIR => ({
      ...astray,
      result: { kind: 'constant', value: step },
      output: { dtype: 'float32', strides: [2, 1], offset: 0 },
    });
    const out = small.backend.allocate([8, 2], 'float32');
    const use = (step: number): void => {
      const kernel = small.backend.compile(map(step));
      void kernel.run([], [out]);
      expect(out.toArray()).to.deep.equal(Array.from({ length: 8 }, () => [step, step]));
      kernel.dispose();
    };
    for (let step = 0; step < 10; step++) use(step);
    const used = small.memory.used();
    for (let step = 10; step < propertyRuns(60, 300, 300); step++) use(step);
    expect(small.memory.used()).to.equal(used);
    await small.backend.close();
  });
});
