/**
 * @file A `wasm` backend over a memory that the spec can look into.
 */
import type { Backend } from '../../src/index.js';
import { wasmMemory, type WasmMemory } from '../../src/backends/wasm/memory.js';
import { wasmOver } from '../../src/backends/wasm/over.js';

export interface WasmKit {
  readonly backend: Backend;
  readonly memory: WasmMemory;
}

export function wasmKit({ limit = 2 ** 26, cacheSize = 1000, isRelaxed = false } = {}): WasmKit {
  const memory = wasmMemory(limit);
  return { memory, backend: wasmOver(memory, cacheSize, isRelaxed) };
}

/** A tensor in the backend's memory with these elements. */
export function placed(backend: Backend, shape: readonly number[], elements: readonly number[]) {
  const made = backend.allocate(shape, 'float32');
  made.data.set(elements as never);
  return made;
}

type AnyArray = Float64Array;
const prototype = Object.getPrototypeOf(Float64Array.prototype) as { set: AnyArray['set'] };

/** Bytes that `act` copies from one typed array to another; int32 words, such as those of descriptors, do not count. */
export function copiedBytes(act: () => void): number {
  const { set } = prototype;
  let bytes = 0;
  prototype.set = function (this: AnyArray, source: ArrayLike<number>, offset?: number) {
    if (!(this instanceof Int32Array)) bytes += source.length * this.BYTES_PER_ELEMENT;
    set.call(this, source, offset);
  };
  try {
    act();
  } finally {
    prototype.set = set;
  }
  return bytes;
}
