/**
 * @file Folds: reductions, softmax, normalisation. One group of elements after another, one fold after another.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import { rowMajorStrides } from '../../tensor/shape.js';
import { allocateTensor, liveArray, type Tensor } from '../../tensor/tensor.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from '../math.js';
import type { FoldRule, Monoid } from '../op.js';
import { s } from '../scalar.js';
import type { Job } from './job.js';
import { meaningOf } from './scalar.js';
import { store } from './store.js';
import { broadcastStrides, walk } from './walk.js';

/** What a fold over nothing gives. */
export const NEUTRAL: Readonly<Record<Monoid, number>> = { sum: 0, prod: 1, max: -Infinity, min: Infinity };

const COMBINE = { sum: 'add', prod: 'mul', max: 'max', min: 'min' } as const;

/** float64 accumulation in row-major order; where the result is int32, sums and products are exact modulo 2³². */
export function combining(monoid: Monoid, dtype: ComputedDType): (total: number, value: number) => number {
  if (dtype !== 'int32') return SCALAR_FUNCTIONS.binary[COMBINE[monoid]];
  return monoid === 'sum' ? (total, value) => (total + value) | 0 : INTEGER_FUNCTIONS.binary[COMBINE[monoid]];
}

export function evaluateFold({ inputs, dtype, shape }: Job, rule: FoldRule): Tensor {
  const base = rule.shape ?? inputs[0].shape;
  const folded = [...rule.axes].sort((a, b) => a - b);
  const kept = base.map((_, axis) => axis).filter((axis) => !folded.includes(axis));
  const sizes = (axes: readonly number[]) => axes.map((axis) => base[axis]);
  const count = sizes(folded).reduce((product, size) => product * size, 1);

  const stridesOver = (input: Tensor, k: number): readonly number[] => {
    if (!rule.besides?.includes(k)) return broadcastStrides(input, base);
    const beside = broadcastStrides(input, sizes(kept));
    return base.map((_, axis) => beside[kept.indexOf(axis)] ?? 0);
  };
  const output = allocateTensor(shape, dtype);
  const arrays = inputs.map((input) => liveArray(input) as ArrayLike<number>);
  const strides = [...inputs.map((input, k) => stridesOver(input, k)), rowMajorStrides(base)];
  const along = (axes: readonly number[]) => strides.map((stride) => axes.map((axis) => stride[axis]));
  const terms = inputs.map((_, index) => s.operand(index));
  const foldTerms = rule.folds.map((_, index) => s.fold(index));
  const values = rule.folds.map((fold, index) => meaningOf(fold.value(terms, foldTerms.slice(0, index)), dtype));
  const finishes = rule.folds.map(({ finish }, index) =>
    finish === undefined ? undefined : meaningOf(finish(foldTerms.slice(0, index + 1)), dtype),
  );
  const result = meaningOf(rule.result(foldTerms, terms), dtype);
  const elements = new Array<number>(inputs.length);

  walk(sizes(kept), along(kept), [...inputs.map((input) => input.offset), 0], (starts, group) => {
    const folds: number[] = [];
    const eachElement = (visit: (at: number, position: number) => void) =>
      walk(sizes(folded), along(folded), starts, (addresses, position) => {
        for (let k = 0; k < arrays.length; k++) elements[k] = arrays[k][addresses[k]]!;
        visit(addresses[arrays.length], position);
      });
    rule.folds.forEach((fold, index) => {
      const combine = combining(fold.monoid, dtype);
      let total = NEUTRAL[fold.monoid];
      eachElement((_, position) => {
        total = combine(total, values[index](elements, folds, position, count));
      });
      folds.push(total);
      const finish = finishes[index];
      if (finish !== undefined) folds[index] = finish([], folds, 0, count);
    });
    if (rule.emits === 'group') store(output.buffer.array, dtype, group, result([], folds, 0, count));
    else eachElement((at, position) => store(output.buffer.array, dtype, at, result(elements, folds, position, count)));
  });
  return output;
}
