/**
 * @file Compiled modules: one for each structure, shared by kernels of all sizes, and its bytes where workers read them.
 */
import { fault } from '../../errors/index.js';
import { importedFunction } from '../../codegen/render/wasm/imports.js';
import type { WasmKernel } from '../../codegen/render/wasm/kernel.js';
import { moduleBytes } from '../../codegen/render/wasm/module.js';
import { leastRecentlyUsed } from '../lru.js';
import type { Region, WasmMemory } from './memory.js';

/** What a module exports: it returns 0 or nothing, or a gather's complaint. */
export type Run = (descriptor: number) => number | undefined;

/** A module's bytes in the shared memory. Workers keep what they made of them by slot; another number is another module. */
export interface Lent {
  readonly slot: number;
  readonly id: number;
  readonly region: Region;
  readonly length: number;
}

export interface Modules {
  readonly runOf: (kernel: WasmKernel) => Run;
  /** Puts the bytes of the kernel's module where workers read them, until `release` was called as often as this. */
  readonly lend: (kernel: WasmKernel) => { readonly lent: Lent; readonly release: () => void };
}

interface Held {
  readonly run: Run;
  lent: Lent | undefined;
  /** How often it is lent. */
  uses: number;
  isCached: boolean;
}

/** At most `cacheSize` modules are kept for further use. */
export function wasmModules(memory: WasmMemory, cacheSize: number): Modules {
  const free: number[] = [];
  let slots = 0;
  let made = 0;
  const settle = (held: Held): void => {
    if (held.lent === undefined || held.uses > 0 || held.isCached) return;
    held.lent.region.release();
    free.push(held.lent.slot);
    held.lent = undefined;
  };
  const cache = leastRecentlyUsed<string, Held>(cacheSize, (held) => {
    held.isCached = false;
    settle(held);
  });
  const heldOf = (kernel: WasmKernel): Held =>
    cache.get(kernel.key) ??
    cache.set(kernel.key, { run: instantiate(kernel, memory), lent: undefined, uses: 0, isCached: true });
  const place = (kernel: WasmKernel): Lent => {
    const bytes = moduleBytes(kernel.source());
    const region = memory.borrow(bytes.length);
    new Uint8Array(memory.memory.buffer).set(bytes, region.address);
    return { slot: free.pop() ?? slots++, id: ++made, region, length: bytes.length };
  };
  return {
    runOf: (kernel) => heldOf(kernel).run,
    lend(kernel) {
      const held = heldOf(kernel);
      const lent = (held.lent ??= place(kernel));
      held.uses++;
      return {
        lent,
        release() {
          held.uses--;
          settle(held);
        },
      };
    },
  };
}

function instantiate(kernel: WasmKernel, { memory }: WasmMemory): Run {
  const source = kernel.source();
  const imports = Object.fromEntries((source.imports ?? []).map(({ name }) => [name, importedFunction(name)]));
  try {
    const module = new WebAssembly.Module(moduleBytes(source));
    return new WebAssembly.Instance(module, { env: { memory, ...imports } }).exports.run as Run;
  } catch (cause) {
    throw fault('E_CODEGEN', {
      place: 'wasm',
      rule: 'the engine must take the kernel',
      actual: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}
