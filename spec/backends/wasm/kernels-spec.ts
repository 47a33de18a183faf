/** @file Kernels on a WebAssembly memory: one module a structure, one descriptor a kernel, operands from anywhere. */
import { expect } from 'chai';
import { wasmKernels } from '../../../src/backends/wasm/kernels.js';
import { wasmMemory } from '../../../src/backends/wasm/memory.js';
import type { KernelIR } from '../../../src/codegen/ir.js';
import { s } from '../../../src/ops/scalar.js';
import { tensor, transpose } from '../../../src/index.js';
import { collected } from '../../support/collect.js';
import { moduleCounter } from '../../support/modulesMade.js';
import { thrownBy } from '../../support/thrownBy.js';

const modulesMade = moduleCounter();

const PLAIN = { isRelaxed: false, memory: { isShared: false, maximumPages: 65536 } } as const;

/** y = x + x·step of one axis, read with a stride. */
const scaled = (extent: number, stride = 1, step = 1): KernelIR => ({
  kind: 'nest',
  extents: [extent],
  outer: 1,
  inputs: [{ dtype: 'float32', strides: [stride], offset: 0 }],
  folds: [],
  result: s.add(s.operand(0), s.mul(s.operand(0), step)),
  emits: 'group',
  output: { dtype: 'float32', strides: [1], offset: 0 },
});

const kit = (cacheSize = 10, limit = 2 ** 20) => {
  const memory = wasmMemory(limit);
  return { memory, compile: wasmKernels(memory, PLAIN, cacheSize), floats: (n: number) => memory.allocate([n], 'float32') };
};

describe('kernels on a WebAssembly memory', () => {
  it('of one structure share a module whatever their sizes; the least recently used goes first', () => {
    const { compile } = kit(2);
    const count = modulesMade();
    for (let extent = 1; extent <= 100; extent++) compile(scaled(extent));
    expect(count(), 'a hundred sizes').to.equal(1);
    compile(scaled(5, 1, 2));
    compile(scaled(6));
    compile(scaled(5, 1, 3));
    expect(count(), 'others').to.equal(3);
    compile(scaled(7));
    expect(count(), 'used lately').to.equal(3);
    compile(scaled(7, 1, 2));
    expect(count(), 'gone meanwhile').to.equal(4);
    const forgetful = kit(0);
    forgetful.compile(scaled(1));
    forgetful.compile(scaled(2));
    expect(count(), 'none is kept').to.equal(6);
  });

  it('keep their own sizes, though they share a module', () => {
    const { compile, floats } = kit();
    const x = floats(9);
    x.data.set([1, 2, 3, 4, 5, 6, 7, 8, 9] as never);
    const [short, long] = [compile(scaled(3)), compile(scaled(9))];
    const [y, z] = [floats(9), floats(9)];
    void long.run([x], [z]);
    void short.run([x], [y]);
    expect(y.toArray()).to.deep.equal([2, 4, 6, 0, 0, 0, 0, 0, 0]);
    expect(z.toArray()).to.deep.equal([2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  it('give their descriptor back once: a second disposal is none', () => {
    const { memory, compile } = kit();
    compile(scaled(3)).dispose();
    const before = memory.used();
    const [first, second] = [compile(scaled(4)), compile(scaled(5))];
    first.dispose();
    first.dispose();
    expect(memory.used()).to.be.greaterThan(before);
    second.dispose();
    expect(memory.used()).to.equal(before);
    expect(thrownBy(() => second.run([memory.allocate([5], 'float32')], [memory.allocate([5], 'float32')])).code).to.equal(
      'E_BACKEND',
    );
  });

  it('give their descriptor back when they are garbage', async () => {
    const { memory, compile } = kit();
    compile(scaled(3)).dispose();
    const before = memory.used();
    (() => {
      for (let extent = 0; extent < 100; extent++) compile(scaled(extent));
    })();
    expect(memory.used()).to.be.greaterThan(before);
    await collected();
    expect(memory.used()).to.equal(before);
  });

  it('read operands that lie elsewhere, by the strides they were made for, and free the copy at once', () => {
    const { memory, compile, floats } = kit();
    const [y, other] = [floats(3), wasmMemory(2 ** 16)];
    const column = transpose(tensor([[1, 2], [3, 4], [5, 6]])); // prettier-ignore
    const kernel = compile(scaled(3, 2));
    const before = memory.used();
    void kernel.run([column], [y]);
    expect(y.toArray()).to.deep.equal([2, 6, 10]);
    const theirs = other.allocate([3, 2], 'float32');
    theirs.data.set([7, 0, 8, 0, 9, 0] as never);
    void kernel.run([theirs], [y]);
    expect(y.toArray()).to.deep.equal([14, 16, 18]);
    expect(memory.used()).to.equal(before);
  });

  it('do nothing at all when an operand does not fit, and work afterwards', () => {
    const { memory, compile, floats } = kit(10, 2 ** 16);
    const y = floats(3);
    const kernel = compile(scaled(3, 8000));
    const before = memory.used();
    expect(thrownBy(() => kernel.run([tensor(new Float32Array(20_000))], [y])).code).to.equal('E_OOM');
    expect([y.toArray(), memory.used()]).to.deep.equal([[0, 0, 0], before]);
    void compile(scaled(3)).run([tensor([1, 2, 3])], [y]);
    expect(y.toArray()).to.deep.equal([2, 4, 6]);
  });

  it('write only to tensors of their own memory that were not released', () => {
    const { memory, compile, floats } = kit();
    const kernel = compile(scaled(2));
    const [x, y, gone] = [floats(2), floats(2), floats(2)];
    memory.release(gone);
    expect(thrownBy(() => kernel.run([x], [tensor([0, 0])])).code).to.equal('E_BACKEND');
    expect(thrownBy(() => kernel.run([x], [gone])).code).to.equal('E_STALE');
    expect(thrownBy(() => kernel.run([gone], [y])).code).to.equal('E_STALE');
    memory.close();
    expect(thrownBy(() => kernel.run([x], [y])).code).to.equal('E_BACKEND');
  });

  it('lie anywhere in 4 GiB: addresses beyond 2^31 are addresses', function () {
    this.timeout(20_000);
    const memory = wasmMemory(2 ** 32 - 2 ** 16);
    // Nobody touches these bytes, so nobody pays for them.
    if (memory.bytes < 2 ** 31 + 2 ** 20) return this.skip();
    const low = memory.allocate([20], 'float32');
    memory.borrow(2 ** 31 + 4096);
    const compile = wasmKernels(memory, PLAIN, 10);
    const high = memory.allocate([20], 'float32');
    expect(memory.addressOf(high)).to.be.greaterThan(2 ** 31);
    high.data.set(Array.from({ length: 20 }, (_, k) => k) as never);
    void compile(scaled(20)).run([high], [low]);
    expect(low.toArray()).to.deep.equal(Array.from({ length: 20 }, (_, k) => 2 * k));
    void compile(scaled(20, 1, 2)).run([low], [high]);
    expect(high.toArray()).to.deep.equal(Array.from({ length: 20 }, (_, k) => 6 * k));
  });
});
