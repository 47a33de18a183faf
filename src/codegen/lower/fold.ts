/**
 * @file Folds: kept axes outside, folded axes inside, in the input's own order on both sides.
 */
import { describeValue, fault } from '../../errors/index.js';
import { rowMajorStrides } from '../../tensor/shape.js';
import type { FoldRule, Monoid } from '../../ops/op.js';
import { s } from '../../ops/scalar.js';
import type { NestIR, TensorType } from '../ir.js';
import { settled } from '../inlined.js';
import type { Application } from '../lower.js';
import { simplify } from '../simplify.js';
import { broadcastStrides } from './elementwise.js';

export function lowerFold({ inputs, output }: Application, rule: FoldRule): NestIR {
  const shape = rule.shape ?? inputs[0].shape;
  const folded = new Set(rule.axes);
  const kept = shape.map((_, axis) => axis).filter((axis) => !folded.has(axis));
  const order = [...kept, ...shape.map((_, axis) => axis).filter((axis) => folded.has(axis))];
  const operands = inputs.map((_, index) => s.operand(index));
  const folds = rule.folds.map((_, index) => s.fold(index));
  const pick = (strides: readonly number[]): readonly number[] => order.map((axis) => strides[axis]);
  const groups = kept.map((axis) => shape[axis]);
  // A group's results are row-major over the kept axes; sizes of 1 that keepdims leaves do not move them.
  const groupStrides = rowMajorStrides(groups);
  const walked = (input: TensorType, k: number): readonly number[] =>
    rule.besides?.includes(k)
      ? [...broadcastStrides(input, groups), ...rule.axes.map(() => 0)]
      : pick(broadcastStrides(input, shape));
  const nest: NestIR = {
    kind: 'nest',
    extents: pick(shape),
    outer: kept.length,
    inputs: inputs.map((input, k) => ({ dtype: input.dtype, strides: walked(input, k), offset: 0 })),
    folds: rule.folds.map(({ monoid, value, finish }, at) => ({
      monoid: known(monoid),
      value: value(operands, folds.slice(0, at)),
      ...(finish === undefined ? {} : { finish: finish(folds.slice(0, at + 1)) }),
    })),
    result: rule.result(folds, operands),
    emits: rule.emits,
    output: {
      dtype: output.dtype,
      strides: rule.emits === 'element' ? pick(rowMajorStrides(shape)) : [...groupStrides, ...rule.axes.map(() => 0)],
      offset: 0,
    },
  };
  return simplify(settled(nest));
}

const MONOIDS: readonly string[] = ['sum', 'prod', 'max', 'min'] satisfies readonly Monoid[];

/** Definitions of ops are written by users too: a word that is not ours ends here. */
function known(monoid: Monoid): Monoid {
  if (MONOIDS.includes(monoid)) return monoid;
  throw fault('E_CODEGEN', { place: 'kernel', rule: 'a fold is a sum, prod, max or min', actual: describeValue(monoid) });
}
