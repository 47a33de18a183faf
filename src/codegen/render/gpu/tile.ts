/**
 * @file Register tiling of sums of products: a thread computes four neighbours of the result, which share what they read.
 *
 * Without it each product reads two elements; with it, four products read five. The four lie side by side in the result, so that
 * it is the same flat array as without.
 */
import type { ComputedDType } from '../../../tensor/dtype.js';
import type { Scalar } from '../../../ops/scalar.js';
import type { NestIR } from '../../ir.js';
import { linearize } from '../../linear.js';
import { count } from './cells.js';
import type { GpuForm } from './form.js';

/** Elements that a thread computes: as many as gpu.js lets a kernel return. */
export const TILE = 4;

/** Fewer terms than this are not worth fewer threads. */
const LEAST_TERMS = 8;

/** True for a sum of what several operands give. */
export const isContraction = ({ folds, emits, output }: NestIR): boolean =>
  emits === 'group' && folds.length === 1 && folds[0].monoid === 'sum' && operandsOf(folds[0].value, output.dtype).size > 1;

/** Whether a thread computes four elements along this axis. */
export function isTiledAlong(axis: number | undefined, ir: NestIR, form: GpuForm): axis is number {
  if (axis === undefined || ir.extents[axis] % TILE !== 0 || !isContraction(ir)) return false;
  if (count(ir.extents.slice(0, ir.outer)) < form.tilesFrom || count(ir.extents.slice(ir.outer)) < LEAST_TERMS) return false;
  return [...operandsOf(ir.folds[0].value, ir.output.dtype)].some((index) => ir.inputs[index].strides[axis] === 0);
}

const operandsOf = (term: Scalar, dtype: ComputedDType): ReadonlySet<number> =>
  new Set(linearize(term, dtype, 1).flatMap((instruction) => (instruction.kind === 'operand' ? [instruction.index] : [])));
