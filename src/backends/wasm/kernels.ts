/**
 * @file Modules and descriptors: a structure is compiled once, each piece of work has its own list of numbers.
 */
import { fault } from '../../errors/index.js';
import { outOfRange } from '../../codegen/gather.js';
import type { KernelIR } from '../../codegen/ir.js';
import { importedFunction } from '../../codegen/render/wasm/imports.js';
import type { Target, WasmKernel } from '../../codegen/render/wasm/kernel.js';
import { moduleBytes } from '../../codegen/render/wasm/module.js';
import { renderWasm } from '../../codegen/render/wasm/render.js';
import { byteSize } from '../../tensor/dtype.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Kernel } from '../backend.js';
import { leastRecentlyUsed } from '../lru.js';
import type { Region, WasmMemory } from './memory.js';

type Run = (descriptor: number) => number | undefined;

/** Compiles loop IR for one memory, and runs it there. At most `cacheSize` modules are kept for further use. */
export function wasmKernels(memory: WasmMemory, target: Target, cacheSize: number): (ir: KernelIR) => Kernel {
  const modules = leastRecentlyUsed<string, Run>(cacheSize);
  const words = new Int32Array(memory.memory.buffer);
  const scratch = scratchOf(memory);
  const runOf = (kernel: WasmKernel): Run => modules.get(kernel.key) ?? modules.set(kernel.key, instantiate(kernel, memory));
  // Programs that nobody disposed of, as their graph is garbage, must not keep their descriptors.
  const dropped = new FinalizationRegistry<Region>(({ release }) => release());

  return (ir) => {
    const rendered = renderWasm(ir, target);
    const run = runOf(rendered);
    const accesses = ir.kind === 'gather' ? [ir.data, ir.index] : ir.inputs;
    const offsets = accesses.map(({ dtype, offset }) => offset * byteSize(dtype));
    const outputOffset = ir.output.offset * byteSize(ir.output.dtype);
    const count = accesses.length;
    const working = scratch(rendered.scratch);
    const descriptor = memory.borrow(4 * (count + 2 + rendered.words.length));
    const at = descriptor.address >>> 2;
    words.set(rendered.words, at + count + 2);
    let isLive = true;
    const kernel: Kernel = {
      run(inputs, [output]) {
        if (!isLive) throw fault('E_BACKEND', { place: 'wasm', rule: 'a kernel must not run after its disposal' });
        let guests: Region[] | undefined;
        try {
          for (let k = 0; k < count; k++) {
            let address: number;
            if (memory.owns(inputs[k])) address = memory.addressOf(inputs[k]);
            else {
              const guest = memory.bring(inputs[k]);
              (guests ??= []).push(guest);
              ({ address } = guest);
            }
            words[at + k] = address + offsets[k];
          }
          words[at + count] = memory.addressOf(output) + outputOffset;
          words[at + count + 1] = working();
          const failed = run(descriptor.address);
          if (ir.kind === 'gather' && failed !== undefined && failed !== 0) reportIndex(inputs[1], ir.size);
        } finally {
          if (guests !== undefined) for (const { release } of guests) release();
        }
      },
      dispose() {
        isLive = false;
        dropped.unregister(descriptor);
        descriptor.release();
      },
    };
    dropped.register(kernel, descriptor, descriptor);
    return kernel;
  };
}

/** The first index that is outside, for the error: the kernel only says that there is one. */
function reportIndex(index: Tensor, size: number): never {
  const bad = Array.from(index.data as Int32Array).find((i) => !(i >= -size && i < size));
  return outOfRange(bad ?? NaN, size);
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

/** One region of working memory for all kernels, as only one runs at a time; it grows to what the largest needs. */
function scratchOf(memory: WasmMemory): (bytes: number) => () => number {
  let region = memory.borrow(64);
  let size = 64;
  const address = (): number => region.address;
  return (bytes) => {
    if (bytes > size) {
      // The larger one first: where it cannot be had, the old one still serves.
      const larger = memory.borrow(bytes);
      region.release();
      region = larger;
      size = bytes;
    }
    return address;
  };
}
