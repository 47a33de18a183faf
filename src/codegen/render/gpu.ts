/**
 * @file The loop IR as source for gpu.js: the `gpu` backend's kernels.
 *
 * A thread computes one element. Where every element of a group needs the group's folds (softmax), these are passes of their own.
 */
import type { GatherIR, KernelIR, NestIR } from '../ir.js';
import { addressOf, indicesOf, placementOf, windowOf } from './gpu/cells.js';
import { NEUTRAL, renderFold } from './gpu/fold.js';
import type { GpuKernel, GpuPass, Residents } from './gpu/kernel.js';
import { unable } from './gpu/limits.js';
import { requireFloat32, requireSmallIntegers } from './gpu/ranges.js';
import { renderScalar, renderValue, type Leaves } from './gpu/scalar.js';
import { text, type Text } from './gpu/text.js';

/** @throws EinstreamError E_CODEGEN for what gpu.js cannot compute, with the reason in `diagnostic.expected` */
export const renderGpu = (ir: KernelIR, residents: Residents = []): GpuKernel =>
  ir.kind === 'gather' ? renderGather(ir, residents) : renderNest({ ir, residents });

/** A copy of an array, element by element: what brings it to a device. */
export function identity(length: number): GpuPass {
  const m = text();
  const array = m.array({ of: 'input', index: 0, from: 0, to: length });
  return m.pass(length, m.keep(`${array}[${addressOf(indicesOf(m, [length]), [1])}]`));
}

/** A nest, and which of its inputs lie on a device. */
interface Job {
  readonly ir: NestIR;
  readonly residents: Residents;
}

const count = (extents: readonly number[]): number => extents.reduce((product, extent) => product * extent, 1);

function renderNest(job: Job): GpuKernel {
  const { ir } = job;
  requireFloat32([...ir.inputs.map(({ dtype }) => dtype), ir.output.dtype]);
  const written = ir.emits === 'element' ? ir.extents.length : ir.outer;
  const placement = placementOf({ ...ir.output, strides: ir.output.strides.slice(0, written) }, ir.extents.slice(0, written));
  if (count(placement.extents) === 0) return { passes: [], placement, indexed: undefined };
  requireSmallIntegers(ir);
  const passes = ir.emits === 'element' ? staged(job, placement.order) : [groupPass(job, placement.order)];
  return { passes, placement, indexed: undefined };
}

/** Indices by axis for the axes that threads run over, in this order. */
function threadIndices(m: Text, ir: NestIR, order: readonly number[]): readonly string[] {
  const found = indicesOf(
    m,
    order.map((axis) => ir.extents[axis]),
  );
  const indices = new Array<string>(ir.extents.length).fill('0');
  order.forEach((axis, k) => (indices[axis] = found[k]));
  return indices;
}

/** Leaves for expressions over whole indices of the nest. */
function leavesAt(m: Text, { ir, residents }: Job, indices: readonly string[], fold: (index: number) => string): Leaves {
  const inner = ir.extents.slice(ir.outer);
  return {
    operand(index) {
      const { operand, start } = windowOf(index, ir.inputs[index], ir.extents.slice(0, indices.length), residents[index]);
      return `${m.array(operand)}[${addressOf(indices, ir.inputs[index].strides, start)}]`;
    },
    fold,
    position: () => addressOf(indices.slice(ir.outer), rowMajor(inner)),
    count: count(inner),
  };
}

const rowMajor = (extents: readonly number[]): readonly number[] => extents.map((_, axis) => count(extents.slice(axis + 1)));

function foldAt(m: Text, job: Job, at: number, outer: readonly string[], fold: (index: number) => string): string {
  const { ir } = job;
  const { monoid, value } = ir.folds[at];
  const inner = ir.extents.slice(ir.outer);
  if (count(inner) === 0) return m.f(NEUTRAL[monoid]);
  return renderFold(m, monoid, inner, (inner) =>
    renderValue(m, value, ir.output.dtype, leavesAt(m, job, [...outer, ...inner], fold)),
  );
}

/** One result for each group. */
function groupPass(job: Job, order: readonly number[]): GpuPass {
  const { ir } = job;
  const m = text();
  const outer = threadIndices(m, ir, order).slice(0, ir.outer);
  const folds: string[] = [];
  for (const at of ir.folds.keys()) folds.push(foldAt(m, job, at, outer, (index) => folds[index]));
  const result = renderScalar(
    m,
    ir.result,
    ir.output.dtype,
    leavesAt(m, job, outer, (index) => folds[index]),
  );
  return m.pass(count(ir.extents.slice(0, ir.outer)), result);
}

/** A pass for each fold, then one over all elements that reads what they gave. */
function staged(job: Job, order: readonly number[]): readonly GpuPass[] {
  const { ir } = job;
  const groups = ir.extents.slice(0, ir.outer);
  const length = count(groups);
  const reading =
    (m: Text, outer: readonly string[]) =>
    (index: number): string =>
      m.keep(`${m.array({ of: 'pass', index, length })}[${addressOf(outer, rowMajor(groups))}]`);
  const folds = ir.folds.map((_, at) => {
    const m = text();
    const outer = threadIndices(
      m,
      ir,
      groups.map((_extent, axis) => axis),
    ).slice(0, ir.outer);
    return m.pass(length, foldAt(m, job, at, outer, reading(m, outer)));
  });
  const m = text();
  const indices = threadIndices(m, ir, order);
  const leaves = leavesAt(m, job, indices, reading(m, indices.slice(0, ir.outer)));
  return [...folds, m.pass(count(ir.extents), renderScalar(m, ir.result, ir.output.dtype, leaves))];
}

/** Indices are checked before the kernel runs: a thread cannot fail. */
function renderGather(ir: GatherIR, residents: Residents): GpuKernel {
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
  return { passes: [m.pass(count(ir.extents), m.keep(`${m.array(data.operand)}[${address}]`))], placement, indexed: ir.size };
}
