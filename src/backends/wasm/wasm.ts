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
import { uploaded, wasmMemory } from './memory.js';
import { hasRelaxedSimd, hasSimd, keepsUnrolledSums } from './probe.js';

export interface WasmOptions {
  /** Bytes of the backend's memory; 1 GiB by default. Untouched pages cost nothing. */
  readonly memoryLimit?: number;
  /** Modules kept for reuse; the least recently used goes first. */
  readonly cacheSize?: number;
  /** The same bits on every engine: relaxed SIMD, whose multiply-add may round once or twice, stays unused. */
  readonly deterministic?: boolean;
}

const DEFAULT_LIMIT = 2 ** 30;

/**
 * A backend whose kernels are WebAssembly SIMD.
 *
 * Its tensors lie in one memory of its own: feeds are copied in once (none of those that `allocate` made), outputs are
 * copied out, or lent with `outputs: 'borrow'`.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
 * wasm().then((backend) => evaluateSync(g, { x: [0, 1] }, { backend }).y.toArray()) // => [1, 2.718282]
 * ```
 *
 * @throws EinstreamError E_BACKEND where the engine has no WebAssembly SIMD, E_ARGUMENT for options outside their range,
 *   E_OOM when the memory cannot be had
 */
export function wasm(options: WasmOptions = {}): Promise<Backend> {
  const { memoryLimit = DEFAULT_LIMIT, cacheSize = 1000, deterministic = false } = options;
  if (!Number.isSafeInteger(memoryLimit) || memoryLimit < 65536 || memoryLimit > 2 ** 32 - 65536) {
    throw fault('E_ARGUMENT', { place: 'wasm', rule: 'memoryLimit is a number of bytes from 64 KiB to 4 GiB', actual: String(memoryLimit) });
  }
  if (!Number.isSafeInteger(cacheSize) || cacheSize < 0) throw fault('E_ARGUMENT', { place: 'wasm', rule: 'cacheSize must be an integer ≥ 0', actual: String(cacheSize) });
  if (typeof deterministic !== 'boolean') throw fault('E_ARGUMENT', { place: 'wasm', rule: 'deterministic is true or false', actual: typeof deterministic });
  if (!hasSimd()) throw fault('E_BACKEND', { place: 'wasm', rule: 'the engine must have WebAssembly SIMD', hint: 'use js()' });
  return Promise.resolve(make(memoryLimit, cacheSize, hasRelaxedSimd() && !deterministic));
}

function make(memoryLimit: number, cacheSize: number, isRelaxed: boolean): Backend {
  const memory = wasmMemory(memoryLimit);
  // Measured on V8 11 to 13: unrolling halves the speed of older ones, and gains a sixth on newer ones with one rounding.
  const block = isRelaxed && keepsUnrolledSums() ? { rows: 6, vectors: 2, unroll: 4 } : DEFAULT_BLOCK;
  const target: Target = { isRelaxed, block, memory: { isShared: false, maximumPages: 65536 } };
  const resident = new WeakMap<Tensor, Tensor>();
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
      remarks: isRelaxed ? [] : ['multiply-add rounds twice: relaxed SIMD is missing here, or was switched off'],
    }),
    compile: wasmKernels(memory, target, cacheSize),
    allocate: memory.allocate,
    upload(tensor) {
      if (memory.owns(tensor)) return tensor;
      let copy = resident.get(tensor);
      if (copy === undefined) resident.set(tensor, (copy = uploaded(memory, tensor)));
      return copy;
    },
    owns: memory.owns,
    close: () => Promise.resolve(),
  });
}
