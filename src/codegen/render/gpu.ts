/**
 * @file The loop IR as source for gpu.js: the `gpu` backend's kernels.
 */
import { inlined } from '../inlined.js';
import type { KernelIR } from '../ir.js';
import { addressOf, indicesOf } from './gpu/cells.js';
import { PLAIN_FORM, type GpuForm } from './gpu/form.js';
import { renderGather } from './gpu/gather.js';
import type { GpuKernel, GpuPass, Residents } from './gpu/kernel.js';
import { renderNest } from './gpu/nest.js';
import { text } from './gpu/text.js';

/** @throws EinstreamError E_CODEGEN for what gpu.js cannot compute, with the reason in `diagnostic.expected` */
export const renderGpu = (ir: KernelIR, form: GpuForm = PLAIN_FORM, residents: Residents = []): GpuKernel =>
  ir.kind === 'gather' ? renderGather(ir, residents) : renderNest({ ir: inlined(ir, () => true), residents, form });

/** A copy of an array, element by element: what brings it to a device. */
export function identity(length: number): GpuPass {
  const m = text();
  const array = m.array({ of: 'input', index: 0, from: 0, to: length });
  return m.pass(length, [m.keep(`${array}[${addressOf(indicesOf(m, [length]), [1])}]`)]);
}
