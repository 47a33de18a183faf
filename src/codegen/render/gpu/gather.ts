/**
 * @file Gathers for gpu.js. Indices are checked before the kernel runs: a thread cannot fail.
 */
import type { GatherIR } from '../../ir.js';
import { addressOf, count, indicesOf, placementOf, windowOf } from './cells.js';
import type { GpuKernel, Residents } from './kernel.js';
import { unable } from './limits.js';
import { requireFloat32 } from './ranges.js';
import { text } from './text.js';

export function renderGather(ir: GatherIR, residents: Residents): GpuKernel {
  requireFloat32([ir.data.dtype, ir.output.dtype]);
  const placement = placementOf(ir.output, ir.extents);
  if (count(ir.extents) === 0) return { passes: [], placement, indexed: undefined };
  if (ir.data.dtype === 'int32')
    throw unable(
      'integers beyond 2^24',
      'integers are float32 numbers and must stay within ±2^24',
      'an int32 that may be larger',
    );
  const m = text();
  const found = indicesOf(m, placement.extents);
  const indices = ir.extents.map((_, axis) => found[placement.order.indexOf(axis)]);
  const chosen = windowOf(1, ir.index, ir.extents, residents[1]);
  const data = windowOf(0, { ...ir.data, strides: [...ir.data.strides, ir.step] }, [...ir.extents, ir.size], residents[0]);
  const given = m.keep(`${m.array(chosen.operand)}[${addressOf(indices, ir.index.strides, chosen.start)}]`);
  const index = m.keep(`(${given}<0?${given}+${m.f(ir.size)}:${given})`);
  const address = addressOf([...indices, index], [...ir.data.strides, ir.step], data.start);
  return { passes: [m.pass(count(ir.extents), [m.keep(`${m.array(data.operand)}[${address}]`)])], placement, indexed: ir.size };
}
