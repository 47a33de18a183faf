/**
 * @file Nests whose folds are passes of their own: stretches of a group, then what those gave, then what is written.
 */
import { count } from './cells.js';
import { NEUTRAL, renderFold } from './fold.js';
import { threadIndices, type Job } from './job.js';
import type { GpuPass } from './kernel.js';
import { leavesAt } from './leaves.js';
import { partsOf, type Stretches } from './levels.js';
import { partsPass, readPartial, stretchesPass, type Partial } from './partial.js';
import { renderScalar, renderValue } from './scalar.js';
import { foldsRead, type Stage } from './stage.js';
import { text, type Text } from './text.js';

/** The passes of a nest, the last of which gives what is written, in this order of axes. */
export function staged(job: Job, order: readonly number[], stretches: Stretches | undefined): readonly GpuPass[] {
  const { ir } = job;
  const stage: Stage = { ...job, passes: [], results: [] };
  const add = (pass: GpuPass): number => stage.passes.push(pass) - 1;
  for (const at of ir.folds.keys()) {
    let partial: Partial | undefined;
    if (stretches !== undefined) {
      partial = { pass: add(stretchesPass(stage, at, stretches)), total: stretches.total, isAcross: stretches.isAcross };
      for (let parts = partsOf(partial.total); parts > 1; parts = partsOf(partial.total))
        partial = { ...partial, pass: add(partsPass(stage, at, partial, parts)), total: parts };
    }
    const isLast = ir.emits === 'group' && at === ir.folds.length - 1;
    stage.results.push(add(isLast ? writtenPass(stage, at, partial, order) : foldPass(stage, at, partial)));
  }
  return ir.emits === 'group' ? stage.passes : [...stage.passes, elementsPass(stage, order)];
}

const groupsOf = ({ ir }: Stage): readonly number[] => ir.extents.slice(0, ir.outer);
const naturalOrder = ({ ir }: Stage): readonly number[] => Array.from({ length: ir.outer }, (_, axis) => axis);

/** A fold's result for a group: from what stretches left, or from all its terms. */
function foldAt(m: Text, stage: Stage, at: number, partial: Partial | undefined, outer: readonly string[]): string {
  const { ir } = stage;
  const { monoid, value } = ir.folds[at];
  const inner = ir.extents.slice(ir.outer);
  if (count(inner) === 0) return m.f(NEUTRAL[monoid]);
  if (partial !== undefined) {
    const terms = ([part]: readonly string[]): readonly string[] => [readPartial(m, stage, partial, outer, part)];
    return renderFold(m, { monoid, extents: [partial.total], terms })[0];
  }
  const known = foldsRead(m, stage, value, outer);
  const terms = (indices: readonly string[]): readonly string[] => [
    renderValue(m, value, ir.output.dtype, leavesAt(m, stage, [...outer, ...indices])(0, known)),
  ];
  return renderFold(m, { monoid, extents: inner, terms })[0];
}

/** One result of a fold for each group, row-major. */
function foldPass(stage: Stage, at: number, partial: Partial | undefined): GpuPass {
  const m = text();
  const outer = threadIndices(m, stage.ir, naturalOrder(stage)).slice(0, stage.ir.outer);
  return m.pass(count(groupsOf(stage)), [foldAt(m, stage, at, partial, outer)]);
}

/** What is written for each group, from its last fold. */
function writtenPass(stage: Stage, at: number, partial: Partial | undefined, order: readonly number[]): GpuPass {
  const { ir } = stage;
  const m = text();
  const outer = threadIndices(m, ir, order).slice(0, ir.outer);
  const last = foldAt(m, stage, at, partial, outer);
  const known = foldsRead(m, stage, ir.result, outer);
  const leaves = leavesAt(m, stage, outer)(0, (index) => (index === at ? last : known(index)));
  return m.pass(count(groupsOf(stage)), [renderScalar(m, ir.result, ir.output.dtype, leaves)]);
}

/** What is written for each element, from all folds of its group. */
function elementsPass(stage: Stage, order: readonly number[]): GpuPass {
  const { ir } = stage;
  const m = text();
  const indices = threadIndices(m, ir, order);
  const known = foldsRead(m, stage, ir.result, indices.slice(0, ir.outer));
  return m.pass(count(ir.extents), [renderScalar(m, ir.result, ir.output.dtype, leavesAt(m, stage, indices)(0, known))]);
}
