/**
 * @file The `wasm` backend, made by request: on one thread, or with workers.
 */
import type { Backend } from '../backend.js';
import { wasmMemory } from './memory.js';
import { readOptions, type WasmOptions } from './options.js';
import { checked, wasmNow, wasmOver } from './over.js';
import { remark } from './remark.js';

export type { WasmOptions } from './options.js';

/**
 * A backend whose kernels are WebAssembly SIMD.
 *
 * Its tensors lie in one memory of its own: feeds are copied in once (none of those that `allocate` made), params once for
 * all, outputs are copied out, or lent with `outputs: 'borrow'`. What `allocate` made is free again after `release`, or when
 * it is garbage; a loop that never returns to the event loop collects none, and must release.
 *
 * With `threads` above 1 larger kernels are computed in parts by workers too, with the same bits: in Node, and on pages that
 * are cross-origin isolated. Elsewhere one thread computes, and `capabilities.remarks` says why. Workers end with `close`;
 * they keep no process alive.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
 * wasm().then((backend) => evaluateSync(g, { x: [0, 1] }, { backend }).y.toArray()) // => [1, 2.718282]
 * ```
 *
 * @returns a promise that rejects with an EinstreamError: E_BACKEND where the engine has no WebAssembly SIMD or the page
 *   forbids it, E_ARGUMENT for options outside their range, E_OOM when the memory cannot be had
 */
export async function wasm(options: WasmOptions = {}): Promise<Backend> {
  return readOptions(options).threads === 1 ? wasmNow(options) : wasmBy(() => import('./threads/wasm-on.js'), options);
}

/** What loads the code of threads. */
type Load = () => Promise<{ readonly withThreads: (options: WasmOptions) => Promise<Backend> }>;

/** Threads' code comes by itself, for those alone who ask for threads; where it does not come, one thread computes. */
export async function wasmBy(load: Load, options: WasmOptions): Promise<Backend> {
  const { memoryLimit, cacheSize, threads, isRelaxed } = checked(options);
  const loaded = await load().catch((error: unknown) => {
    const why = `their code cannot be loaded (${error instanceof Error ? error.message : String(error)})`;
    const remarks = [remark(1, threads, why)];
    return { withThreads: () => wasmOver(wasmMemory(memoryLimit), cacheSize, isRelaxed, { remarks }) };
  });
  return loaded.withThreads(options);
}
