/**
 * @file Modules and descriptors: a structure is compiled once, each piece of work has its own list of numbers.
 */
import { fault } from '../../errors/index.js';
import { outOfRange } from '../../codegen/gather.js';
import type { KernelIR } from '../../codegen/ir.js';
import type { Target, WasmKernel } from '../../codegen/render/wasm/kernel.js';
import { moduleBytes } from '../../codegen/render/wasm/module.js';
import { renderWasm } from '../../codegen/render/wasm/render.js';
import { SCALAR_FUNCTIONS } from '../../ops/math.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Kernel } from '../backend.js';
import { leastRecentlyUsed } from '../lru.js';
import { uploaded, type WasmMemory } from './memory.js';

type Run = (descriptor: number) => number | undefined;

export interface WasmKernels {
  readonly compile: (ir: KernelIR) => Kernel;
  /** Modules compiled so far. */
  readonly compilations: () => number;
}
