/**
 * @file A sum of products seen as a matrix product: which axes are rows, columns, summed, and which only repeat it.
 */
import type { NestIR } from '../../../ir.js';
import type { Scalar } from '../../../../ops/scalar.js';
import { subterms } from '../../../../ops/scalar.js';

/** Axes by role. Only `left` moves along rows, only `right` along columns; a batch axis moves both, or neither. */
export interface Product {
  /** Inputs of the nest. */
  readonly left: number;
  readonly right: number;
  /** Inputs that `result` reads, in ascending order. */
  readonly further: readonly number[];
  readonly batch: readonly number[];
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly summed: readonly number[];
}

/** The product that a nest is; undefined for every other nest, for empty ones, and where no operand is read twice. */
export function productOf(ir: NestIR): Product | undefined {
  const [fold] = ir.folds;
  if (ir.folds.length !== 1 || fold.monoid !== 'sum' || ir.emits !== 'group') return undefined;
  const { value } = fold;
  if (value.kind !== 'binary' || value.fn !== 'mul' || value.x.kind !== 'operand' || value.y.kind !== 'operand') return undefined;
  const [first, second] = [value.x.index, value.y.index];
  if (first === second && !readsStored(ir.result)) return undefined;
  const further = [...operandsOf(ir.result, new Set())].sort((a, b) => a - b);
  const isFloat = ({ dtype }: NestIR['output']): boolean => dtype === 'float32';
  const isShort = ({ dtype }: NestIR['output']): boolean => dtype === 'float32' || dtype === 'bool';
  if (!isFloat(ir.inputs[first]) || !isFloat(ir.inputs[second]) || !isShort(ir.output)) return undefined;
  if (!further.every((index) => isShort(ir.inputs[index])) || ir.extents.includes(0)) return undefined;

  const axes = ir.extents.map((_, axis) => axis);
  const outer = axes.slice(0, ir.outer);
  const moves = (index: number, axis: number): boolean => ir.inputs[index].strides[axis] !== 0;
  const firstOnly = outer.filter((axis) => moves(first, axis) && !moves(second, axis));
  const secondOnly = outer.filter((axis) => !moves(first, axis) && moves(second, axis));
  // Columns are what vectors run along: they should lie side by side in the output.
  const unit = outer.findLast((axis) => ir.output.strides[axis] === 1);
  const isSwapped = secondOnly.length === 0 || (unit !== undefined && firstOnly.includes(unit));
  const [rows, columns] = isSwapped ? [secondOnly, firstOnly] : [firstOnly, secondOnly];
  const batch = outer.filter((axis) => !rows.includes(axis) && !columns.includes(axis));
  // Without reuse in a block, a nest whose vectors run along the batch is better.
  if (rows.length === 0 && unit !== undefined && batch.includes(unit) && ir.inputs[second].strides[unit] === 1) return undefined;
  const [left, right] = isSwapped ? [second, first] : [first, second];
  return { left, right, further, batch, rows, columns, summed: axes.slice(ir.outer) };
}

/** Sums are float32 here: of squares, what is made of one may expect more of it, as the root does. */
const readsStored = (result: Scalar): boolean => result.kind === 'fold' || isStored(result);

const isStored = (term: Scalar): boolean =>
  term.kind === 'round' && term.x.kind === 'fold' ? true : term.kind !== 'fold' && subterms(term).every(isStored);

function operandsOf(term: Scalar, found: Set<number>): Set<number> {
  if (term.kind === 'operand') found.add(term.index);
  for (const each of subterms(term)) operandsOf(each, found);
  return found;
}
