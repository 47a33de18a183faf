/**
 * @file A part of a kernel's work: the same loops over a stretch of one written axis.
 */
import type { Access, KernelIR } from './ir.js';

/** The axes whose every index has elements of its own in the output, outermost first. */
export function cuttable(ir: KernelIR): readonly number[] {
  const written = ir.kind === 'gather' ? ir.extents.length : ir.outer;
  return ir.extents.flatMap((extent, axis) => (axis < written && extent > 1 && ir.output.strides[axis] !== 0 ? [axis] : []));
}

/** The kernel for the indices from `from` up to `to` of an axis: structure and strides stay, one extent and offsets change. */
export function cutAlong(ir: KernelIR, axis: number, from: number, to: number): KernelIR {
  const moved = (access: Access): Access => ({ ...access, offset: access.offset + from * access.strides[axis] });
  const extents = ir.extents.map((extent, each) => (each === axis ? to - from : extent));
  if (ir.kind === 'gather') return { ...ir, extents, data: moved(ir.data), index: moved(ir.index), output: moved(ir.output) };
  return { ...ir, extents, inputs: ir.inputs.map(moved), output: moved(ir.output) };
}
