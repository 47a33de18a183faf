/**
 * @file A nest whose folds are passes of their own, and how later passes read what earlier ones gave.
 */
import type { Scalar } from '../../../ops/scalar.js';
import { rowMajorStrides } from '../../../tensor/shape.js';
import { linearize } from '../../linear.js';
import { addressOf } from './cells.js';
import type { Job } from './job.js';
import type { GpuOperand, GpuPass } from './kernel.js';
import type { Text } from './text.js';

/** A nest, and the passes of its folds that are known. */
export interface Stage extends Job {
  readonly passes: GpuPass[];
  /** By fold: the pass that gives one result for each group. */
  readonly results: number[];
}

export const operandOf = ({ passes }: Stage, index: number): GpuOperand => {
  const { length, isTiled } = passes[index];
  return { of: 'pass', index, length, isTiled };
};

/** Names of the results of those folds that a term reads, for a group. */
export function foldsRead(m: Text, stage: Stage, term: Scalar, outer: readonly string[]): (index: number) => string {
  const { ir, results } = stage;
  const strides = rowMajorStrides(ir.extents.slice(0, ir.outer));
  const names = new Map<number, string>();
  for (const instruction of linearize(term, ir.output.dtype, 1)) {
    if (instruction.kind !== 'fold' || names.has(instruction.index) || results[instruction.index] === undefined) continue;
    const array = m.array(operandOf(stage, results[instruction.index]));
    names.set(instruction.index, m.keep(`${array}[${addressOf(outer, strides)}]`));
  }
  return (index) => names.get(index)!;
}
