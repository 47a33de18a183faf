/**
 * @file Kernels on a memory: a structure is compiled once, each piece of work has its own list of numbers.
 */
import { fault } from '../../errors/index.js';
import { outOfRange } from '../../codegen/gather.js';
import { accessesOf, type KernelIR } from '../../codegen/ir.js';
import type { Target, WasmKernel } from '../../codegen/render/wasm/kernel.js';
import { renderWasm } from '../../codegen/render/wasm/render.js';
import { byteSize } from '../../tensor/dtype.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Kernel } from '../backend.js';
import { launchWhole, type Launch } from './launch.js';
import type { Region, WasmMemory } from './memory.js';
import { wasmModules, type Modules } from './modules.js';
import { scratchOf } from './scratch.js';

/** What kernels are launched with. */
export interface Means {
  readonly memory: WasmMemory;
  readonly words: Int32Array;
  readonly modules: Modules;
  readonly render: (ir: KernelIR) => WasmKernel;
  /** Working memory of this thread, so many bytes at least. */
  readonly scratch: (bytes: number) => () => number;
}

/** Lays a kernel out in parts; undefined where it is better left whole. */
export type InParts = (ir: KernelIR, whole: WasmKernel, means: Means) => Launch | undefined;

/**
 * Compiles loop IR for one memory, and runs it there, in parts where others help. At most `cacheSize` modules are kept for
 * further use.
 */
export function wasmKernels(memory: WasmMemory, target: Target, cacheSize: number, inParts?: InParts): (ir: KernelIR) => Kernel {
  const modules = wasmModules(memory, cacheSize);
  const words = new Int32Array(memory.memory.buffer);
  const scratch = scratchOf(memory);
  // Programs that nobody disposed of, as their graph is garbage, must not keep their descriptors.
  const dropped = new FinalizationRegistry<Launch>(({ release }) => release());

  const render = (ir: KernelIR): WasmKernel => renderWasm(ir, target);
  const means: Means = { memory, words, modules, render, scratch };
  const inOne = (ir: KernelIR, kernel: WasmKernel): Launch => {
    const run = modules.runOf(kernel);
    return launchWhole(memory, words, kernel, run, accessesOf(ir).length, scratch(kernel.scratch));
  };

  return (ir) => {
    const rendered = render(ir);
    const launch = inParts?.(ir, rendered, means) ?? inOne(ir, rendered);
    const offsets = accessesOf(ir).map(({ dtype, offset }) => offset * byteSize(dtype));
    const count = offsets.length - 1;
    const { at } = launch;
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
          words[at + count] = memory.addressOf(output) + offsets[count];
          const failed = launch.start();
          if (ir.kind === 'gather' && failed !== undefined && failed !== 0) reportIndex(inputs[1], ir.size);
        } finally {
          if (guests !== undefined) for (const { release } of guests) release();
        }
      },
      dispose() {
        if (!isLive) return;
        isLive = false;
        dropped.unregister(launch);
        launch.release();
      },
    };
    dropped.register(kernel, launch, launch);
    return kernel;
  };
}

/** The first index that is outside, for the error: the kernel only says that there is one. */
function reportIndex(index: Tensor, size: number): never {
  const bad = Array.from(index.data as Int32Array).find((i) => !(i >= -size && i < size));
  return outOfRange(bad ?? NaN, size);
}
