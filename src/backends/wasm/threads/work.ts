/**
 * @file About how long a kernel takes on one thread: enough to tell what is worth a second one.
 *
 * A kernel waits for memory or for arithmetic, whichever takes longer. Figures are of one core of about 3 GHz.
 */
import { linearize, type Instruction } from '../../../codegen/linear.js';
import { accessesOf, type Access, type KernelIR, type NestIR } from '../../../codegen/ir.js';
import { byteSize } from '../../../tensor/dtype.js';

/** Nanoseconds a byte. */
const BYTE = 0.04;
/** Nanoseconds for a byte of an operand that is read anew for each part: a matrix is packed. */
const REPEATED = 0.15;
/** Nanoseconds for an instruction on one of four lanes. */
const STEP = 0.08;
/** The same for the multiply-add of a matrix product, whose operands wait in registers. */
const PRODUCT = 0.05;

/** In instructions of a vector; functions that are not listed are polynomials. */
const COST: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['neg', 'abs', 'floor', 'ceil', 'trunc', 'round', 'sign', 'not'].map((name) => [name, 1])),
  ...Object.fromEntries(['add', 'sub', 'mul', 'min', 'max', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'].map((name) => [name, 1])),
  ...Object.fromEntries(['and', 'or', 'xor', 'isnan', 'isfinite', 'isinf'].map((name) => [name, 1])),
  ...Object.fromEntries(['div', 'sqrt'].map((name) => [name, 3])),
};
const POLYNOMIAL = 10;

const costOf = (list: readonly Instruction[]): number =>
  list.reduce((sum, i) => {
    if (i.kind === 'unary' || i.kind === 'binary') return sum + (Object.hasOwn(COST, i.fn) ? COST[i.fn] : POLYNOMIAL);
    return sum + (i.kind === 'select' || i.kind === 'round' ? 1 : 0);
  }, 0);

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** Bytes of the elements that a walk over `extents` touches, each once. */
const touched = (extents: readonly number[], { dtype, strides }: Access): number =>
  byteSize(dtype) * product(extents.filter((_, axis) => strides[axis] !== 0));

/** Nanoseconds, roughly. */
export function workOf(ir: KernelIR): number {
  const bytes = accessesOf(ir).reduce((sum, access) => sum + touched(ir.extents, access), 0);
  return Math.max(bytes * BYTE, ir.kind === 'gather' ? 0 : arithmetic(ir));
}

/** Nanoseconds that each part needs for what is the same for all parts along an axis. */
export function repeatedWork(ir: KernelIR, axis: number): number {
  const same = accessesOf(ir).filter(({ strides }) => strides[axis] === 0);
  return REPEATED * same.reduce((bytes, access) => bytes + touched(ir.extents, access), 0);
}

function arithmetic(ir: NestIR): number {
  const [written, folded] = [product(ir.extents.slice(0, ir.outer)), product(ir.extents.slice(ir.outer))];
  const { dtype } = ir.output;
  const each = (term: NestIR['result']): number => costOf(linearize(term, dtype, 1));
  const isSum = ir.folds.length === 1 && ir.folds[0].monoid === 'sum' && ir.folds[0].value.kind === 'binary';
  const folds = ir.folds.reduce((sum, { value }) => sum + each(value) + 1, 0);
  const results = each(ir.result) * (ir.emits === 'element' ? folded : 1);
  return written * (folded * folds * (isSum && dtype === 'float32' ? PRODUCT / 2 : STEP) + results * STEP);
}
