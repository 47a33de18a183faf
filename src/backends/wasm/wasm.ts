/**
 * @file The `wasm` backend: kernels are WebAssembly SIMD, generated as bytes, on one memory.
 */
import { fault } from '../../errors/index.js';
import { DEFAULT_BLOCK, type Target } from '../../codegen/render/wasm/kernel.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import { MAX_RANK } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Backend } from '../backend.js';
import { wasmKernels } from './kernels.js';
import { uploaded, wasmMemory, type WasmMemory } from './memory.js';
import { readOptions, type WasmOptions } from './options.js';
import { hasRelaxedSimd, hasSimd, keepsUnrolledSums } from './probe.js';

export type { WasmOptions } from './options.js';

/**
 * A backend whose kernels are WebAssembly SIMD.
 *
 * Its tensors lie in one memory of its own: feeds are copied in once (none of those that `allocate` made), params once for
 * all, outputs are copied out, or lent with `outputs: 'borrow'`. What `allocate` made is free again after `release`, or when
 * it is garbage; a loop that never returns to the event loop collects none, and must release. One thread computes.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
 * wasm().then((backend) => evaluateSync(g, { x: [0, 1] }, { backend }).y.toArray()) // => [1, 2.718282]
 * ```
 *
 * @returns a promise that rejects with an EinstreamError: E_BACKEND where the engine has no WebAssembly SIMD, E_ARGUMENT for
 *   options outside their range, E_OOM when the memory cannot be had
 */
export function wasm(options: WasmOptions = {}): Promise<Backend> {
  return new Promise((resolve) => {
    const { memoryLimit, cacheSize, deterministic } = readOptions(options);
    if (!hasSimd()) throw fault('E_BACKEND', { place: 'wasm', rule: 'the engine must have WebAssembly SIMD', hint: 'use js()' });
    resolve(wasmOver(wasmMemory(memoryLimit), cacheSize, hasRelaxedSimd() && !deterministic));
  });
}

/** The backend on a memory that exists. */
export function wasmOver(memory: WasmMemory, cacheSize: number, isRelaxed: boolean): Backend {
  // Measured on V8 11 to 13: unrolling halves the speed of older ones, and gains a sixth on newer ones with one rounding.
  const block = isRelaxed && keepsUnrolledSums() ? { rows: 6, vectors: 2, unroll: 4 } : DEFAULT_BLOCK;
  const target: Target = { isRelaxed, block, memory: { isShared: false, maximumPages: 65536 } };
  let parts: Parts | undefined = { memory, compile: wasmKernels(memory, target, cacheSize), resident: new WeakMap() };
  const open = (): Parts => {
    if (parts !== undefined) return parts;
    throw fault('E_BACKEND', { place: 'wasm', rule: 'a backend must not be used after it was closed', hint: 'make another one' });
  };
  return Object.freeze<Backend>({
    name: 'wasm',
    capabilities: Object.freeze({
      name: 'wasm',
      version: '1',
      devices: [{ type: 'CPU', index: 0 }] as const,
      dtypes: COMPUTED_DTYPES,
      features: ['SIMDAcceleration', 'CodeGeneration'] as const,
      maxDims: MAX_RANK,
      maxTensorBytes: memory.bytes,
      maxFusedNodes: 64,
      partialSums: 'float32',
      asynchronous: false,
      remarks: [
        'one thread computes',
        ...(isRelaxed ? [] : ['multiply-add rounds twice: relaxed SIMD is missing here, or was switched off']),
      ],
    }),
    compile: (ir) => open().compile(ir),
    allocate: (shape, dtype) => open().memory.allocate(shape, dtype),
    upload(tensor) {
      const { memory: own, resident } = open();
      if (own.owns(tensor)) return tensor;
      let copy = resident.get(tensor);
      if (copy === undefined || copy.buffer.retired) resident.set(tensor, (copy = uploaded(own, tensor)));
      return copy;
    },
    owns: (tensor) => open().memory.owns(tensor),
    // What is torn down after the end has nothing left to free.
    release: (tensor) => parts?.memory.release(tensor),
    close() {
      parts?.memory.close();
      parts = undefined;
      return Promise.resolve();
    },
  });
}

/** What a backend has until it is closed. */
interface Parts {
  readonly memory: WasmMemory;
  readonly compile: Backend['compile'];
  /** Copies of params and constants. */
  readonly resident: WeakMap<Tensor, Tensor>;
}
