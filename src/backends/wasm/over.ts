/**
 * @file The `wasm` backend on a memory: kernels are WebAssembly SIMD, generated as bytes.
 */
import { fault } from '../../errors/index.js';
import type { Target } from '../../codegen/render/wasm/kernel.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import { MAX_RANK } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Backend } from '../backend.js';
import { blockFor } from './block.js';
import { wasmKernels, type InParts } from './kernels.js';
import { ALIGNMENT } from './allocator.js';
import { PADDING, uploaded, wasmMemory, type WasmMemory } from './memory.js';
import { readOptions, type WasmOptions } from './options.js';
import { hasRelaxedSimd, hasSimd, mayCompile } from './probe.js';
import type { Crew } from './threads/crew.js';

/** Most nodes that one fused kernel may join. */
export const FUSED_NODES = 64;

/** A backend on one thread, at once. @throws EinstreamError as `wasm` rejects */
export function wasmNow(options: WasmOptions = {}): Backend {
  const { memoryLimit, cacheSize, isRelaxed } = checked(options);
  return wasmOver(wasmMemory(memoryLimit), cacheSize, isRelaxed);
}

/** The options, on an engine that can do with them. */
export function checked(options: WasmOptions): Required<WasmOptions> & { readonly isRelaxed: boolean } {
  const read = readOptions(options);
  if (!hasSimd()) throw fault('E_BACKEND', { place: 'wasm', rule: 'the engine must have WebAssembly SIMD', hint: 'use js()' });
  if (!mayCompile())
    throw fault('E_BACKEND', {
      place: 'wasm',
      rule: 'this page must allow WebAssembly',
      hint: "add 'wasm-unsafe-eval' to the script-src of its Content-Security-Policy, or use js()",
    });
  return { ...read, isRelaxed: hasRelaxedSimd() && !read.deterministic };
}

/** Workers that a backend has, and what is said about them. */
export interface Help {
  readonly crew?: Pick<Crew, 'threads' | 'close'>;
  readonly inParts?: InParts;
  readonly remarks?: readonly string[];
}

/** A backend that nobody closed must not keep its workers. */
const dropped = new FinalizationRegistry<Pick<Crew, 'close'>>((crew) => void crew.close());

/** The backend on a memory that exists. */
export function wasmOver(
  memory: WasmMemory,
  cacheSize: number,
  isRelaxed: boolean,
  { crew, inParts, remarks = [] }: Help = {},
): Backend {
  const { isShared } = memory;
  const target: Target = { isRelaxed, block: blockFor(isRelaxed), memory: { isShared, maximumPages: 65536 } };
  let parts: Parts | undefined = { memory, compile: wasmKernels(memory, target, cacheSize, inParts), resident: new WeakMap() };
  const open = (): Parts => {
    if (parts !== undefined) return parts;
    throw fault('E_BACKEND', { place: 'wasm', rule: 'a backend must not be used after it was closed', hint: 'make another one' });
  };
  const threads = crew?.threads ?? 1;
  const backend = Object.freeze<Backend>({
    name: 'wasm',
    capabilities: Object.freeze({
      name: 'wasm',
      version: '1',
      devices: Array.from({ length: threads }, (_, k) => ({ type: k === 0 ? 'CPU' : 'Worker', index: k }) as const),
      dtypes: COMPUTED_DTYPES,
      features: ['SIMDAcceleration', 'CodeGeneration'] as const,
      maxDims: MAX_RANK,
      maxTensorBytes: memory.bytes,
      maxFusedNodes: FUSED_NODES,
      maxResults: 8,
      partialSums: 'float32',
      asynchronous: false,
      remarks: [
        threads === 1 ? 'one thread computes' : `${threads} threads compute`,
        ...remarks,
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
    placing: { alignment: ALIGNMENT, padding: PADDING, reserve: (bytes) => open().memory.reserve(bytes) },
    // What is torn down after the end has nothing left to free.
    release: (tensor) => parts?.memory.release(tensor),
    close() {
      parts?.memory.close();
      parts = undefined;
      return crew?.close() ?? Promise.resolve();
    },
  });
  if (crew !== undefined) dropped.register(backend, crew);
  return backend;
}

/** What a backend has until it is closed. */
interface Parts {
  readonly memory: WasmMemory;
  readonly compile: Backend['compile'];
  /** Copies of params and constants. */
  readonly resident: WeakMap<Tensor, Tensor>;
}
