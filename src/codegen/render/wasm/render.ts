/**
 * @file The loop IR as WebAssembly: what a kernel's structure decides about its code, and what is left to its descriptor.
 */
import type { KernelIR } from '../../ir.js';
import { renderContractionWasm } from './contraction/index.js';
import { renderGather } from './gather.js';
import type { Target, WasmKernel } from './kernel.js';
import { renderNest } from './nest.js';

export function renderWasm(ir: KernelIR, target: Target): WasmKernel {
  const kernel = ir.kind === 'gather' ? renderGather(ir, target) : (renderContractionWasm(ir, target) ?? renderNest(ir, target));
  const { isShared, maximumPages } = target.memory;
  return { ...kernel, key: [kernel.key, target.isRelaxed, isShared, maximumPages].join('|') };
}
