/**
 * @file The loop IR as WebAssembly: what a kernel's structure decides about its code, and what is left to its descriptor.
 */
import type { KernelIR } from '../../ir.js';
import { renderContractionWasm } from './contraction/index.js';
import { renderGather } from './gather.js';
import type { Target, WasmKernel } from './kernel.js';
import { renderNest } from './nest.js';

export const renderWasm = (ir: KernelIR, target: Target): WasmKernel =>
  ir.kind === 'gather' ? renderGather(ir, target) : (renderContractionWasm(ir, target) ?? renderNest(ir, target));
