/**
 * @file Nests for gpu.js: a thread computes an element, or four. Where the folds of a group take too long for one thread, or
 * every element of a group needs them (softmax), they are passes of their own.
 */
import { count, placementOf } from './cells.js';
import { NEUTRAL, renderFold } from './fold.js';
import { threadIndices, type Job } from './job.js';
import type { GpuKernel, GpuPass } from './kernel.js';
import { leavesAt } from './leaves.js';
import { stretchesOf } from './levels.js';
import { unable } from './limits.js';
import { requireFloat32, requireSmallIntegers } from './ranges.js';
import { renderScalar, renderValue } from './scalar.js';
import { staged } from './staged.js';
import { text } from './text.js';
import { isContraction, isTiledAlong, TILE } from './tile.js';

export function renderNest(job: Job): GpuKernel {
  const { ir, form } = job;
  if (ir.further !== undefined)
    throw unable('several results', 'a kernel writes one result', `${1 + ir.further.results.length} results`);
  requireFloat32([...ir.inputs.map(({ dtype }) => dtype), ir.output.dtype]);
  const written = ir.emits === 'element' ? ir.extents.length : ir.outer;
  const placement = placementOf({ ...ir.output, strides: ir.output.strides.slice(0, written) }, ir.extents.slice(0, written));
  if (count(placement.extents) === 0) return { passes: [], placement, indexed: undefined };
  requireSmallIntegers(ir);
  const stretches = stretchesOf(ir);
  if (ir.emits === 'element' || stretches !== undefined)
    return { passes: staged(job, placement.order, stretches), placement, indexed: undefined };
  const last = placement.isContiguous ? placement.order.at(-1) : undefined;
  const pass = groupPass(job, placement.order, isTiledAlong(last, ir, form) ? last : undefined);
  return { passes: [pass], placement, indexed: undefined };
}

/** One element for each group. */
function groupPass(job: Job, order: readonly number[], tiled: number | undefined): GpuPass {
  const { ir, form } = job;
  const m = text();
  const outer = threadIndices(m, ir, order, tiled).slice(0, ir.outer);
  const lanes = Array.from({ length: tiled === undefined ? 1 : TILE }, (_, lane) => lane);
  const inner = ir.extents.slice(ir.outer);
  const folds: (readonly string[])[] = [];
  for (const { monoid, value } of ir.folds) {
    const terms = (indices: readonly string[]): readonly string[] => {
      const leaves = leavesAt(m, job, [...outer, ...indices], tiled);
      return lanes.map((lane) =>
        renderValue(
          m,
          value,
          ir.output.dtype,
          leaves(lane, (index) => folds[index][lane]),
        ),
      );
    };
    const isEmpty = count(inner) === 0;
    const unroll = isContraction(ir) ? form.unroll : 1;
    folds.push(isEmpty ? [m.f(NEUTRAL[monoid])] : renderFold(m, { monoid, extents: inner, terms, width: lanes.length, unroll }));
  }
  const leaves = leavesAt(m, job, outer, tiled);
  const results = lanes.map((lane) =>
    renderScalar(
      m,
      ir.result,
      ir.output.dtype,
      leaves(lane, (index) => folds[index][lane]),
    ),
  );
  return m.pass(count(ir.extents.slice(0, ir.outer)), results);
}
