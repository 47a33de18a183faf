/**
 * @file Kernels in parts beside the whole: both on one memory, all on this thread.
 */
import { expect } from 'chai';
import { wasmKernels } from '../../src/backends/wasm/kernels.js';
import { blockFor } from '../../src/backends/wasm/block.js';
import { wasmMemory } from '../../src/backends/wasm/memory.js';
import { inPartsOf } from '../../src/backends/wasm/threads/in-parts.js';
import type { KernelIR } from '../../src/codegen/ir.js';
import { tensor } from '../../src/index.js';
import { Tensor } from '../../src/tensor/tensor.js';
import { type Lie } from './anyLayout.js';
import { differentBits } from './sameBits.js';
import { lonelyCrew } from './threadedWasm.js';

/** Nothing special about how a tensor lies. */
export const FLAT: Lie = { order: 0, gap: 1, flips: 0, repeats: 0, overlaps: null, salt: 0, values: 'plain' };

type Compile = ReturnType<typeof wasmKernels>;

/** Kernels whole and in parts, on one memory and on this thread alone, and how many kernels were cut. */
export function inPartsKit(isRelaxed: boolean) {
  const memory = wasmMemory(2 ** 26);
  const target = { isRelaxed, block: blockFor(isRelaxed), memory: { isShared: false, maximumPages: 65536 } };
  let cuts = 0;
  const inParts = (threads: number): Compile => {
    const crew = lonelyCrew(threads);
    return wasmKernels(memory, target, 1000, inPartsOf({ ...crew, perform: (job) => (cuts++, crew.perform(job)) }));
  };
  /** The whole buffer, as a kernel may read beyond the tensor by its own offset. */
  const placed = (given: Tensor): Tensor => {
    const { array } = given.buffer;
    const { buffer } = memory.allocate([array.length], given.dtype);
    (buffer.array as Float64Array).set(array as Float64Array);
    return new Tensor(given.dtype, given.shape, given.strides, given.offset, given.size, buffer);
  };
  const resultOf = (compile: Compile, ir: KernelIR, inputs: readonly Tensor[]): Tensor => {
    const { dtype, strides, offset } = ir.output;
    const reach = ir.extents.reduce((sum, extent, axis) => sum + Math.max(0, extent - 1) * strides[axis], 0);
    const room = memory.allocate([reach + offset + 5], dtype);
    const array = room.data as Float64Array;
    array.fill(1);
    const kernel = compile(ir);
    void kernel.run(inputs, [new Tensor(dtype, [], [], 1, 1, room.buffer)]);
    const result = tensor(array.slice(), { dtype });
    kernel.dispose();
    memory.release(room);
    return result;
  };
  const compilers = { whole: wasmKernels(memory, target, 1000), parts: new Map([2, 3, 4].map((n) => [n, inParts(n)])) };
  return {
    cuts: () => cuts,
    expectSame(ir: KernelIR, given: readonly Tensor[]) {
      const inputs = given.map(placed);
      const whole = resultOf(compilers.whole, ir, inputs);
      for (const [threads, compile] of compilers.parts)
        expect(differentBits(resultOf(compile, ir, inputs), whole), `${threads} threads`).to.equal(undefined);
      inputs.forEach(memory.release);
    },
  };
}
