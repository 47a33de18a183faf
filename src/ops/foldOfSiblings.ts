/**
 * @file Reductions side by side as one fold with several results, if they fold the same axes of one shape.
 */
import type { ComputedDType } from '../tensor/dtype.js';
import { sameShape, type Shape } from '../tensor/shape.js';
import { besides, type FusedStep } from './fusedSteps.js';
import type { Fold, FoldRule } from './op.js';
import { replaced } from './replaced.js';
import { s, type Scalar } from './scalar.js';

interface Sibling {
  readonly rule: FoldRule;
  readonly space: Shape;
  readonly args: readonly number[];
}

/** Undefined where one kernel cannot do all of them. */
export function foldOfSiblings(
  steps: readonly FusedStep[],
  shapes: readonly Shape[],
  dtypes: readonly ComputedDType[],
): FoldRule | undefined {
  const operands = shapes.map((shape, k) => ({ shape, dtype: dtypes[k] }));
  const siblings = besides(steps, operands, (op, args, step): Sibling | undefined => {
    const rule = op.fold!(step.params, args.map(({ shape }) => shape), args.map(({ dtype }) => dtype)); // prettier-ignore
    return rule && { rule, space: rule.shape ?? args[0].shape, args: step.args };
  });
  const [first] = siblings;
  if (first === undefined || !siblings.every((each): each is Sibling => each !== undefined && areAlike(first, each)))
    return undefined;
  const folds: Fold[] = [];
  const [result, ...further] = siblings.map(({ rule, args }): FoldRule['result'] => {
    const from = folds.length;
    // Rules of groups are made of terms: what these read is somewhere else now.
    const moved = (term: Scalar): Scalar =>
      replaced(term, (leaf) => {
        if (leaf.kind === 'fold') return s.fold(from + leaf.index);
        return leaf.kind === 'operand' ? s.operand(args[leaf.index]) : undefined;
      });
    const own = rule.folds.map((_, k) => s.fold(k));
    const read = args.map((_, k) => s.operand(k));
    rule.folds.forEach(({ monoid, value, finish }, k) => {
      const made = moved(value(read, own.slice(0, k)));
      const ends = finish && moved(finish(own.slice(0, k + 1)));
      folds.push({ monoid, value: () => made, ...(ends === undefined ? {} : { finish: () => ends }) });
    });
    const term = moved(rule.result(own, read));
    return () => term;
  });
  return { axes: first.rule.axes, shape: first.space, folds, result, further, emits: 'group' };
}

/** Results of groups, of the same axes in the same order, that read nothing in another way. */
function areAlike(first: Sibling, { rule, space }: Sibling): boolean {
  const { axes, emits, folds, besides: apart = [] } = rule;
  const areAxes = axes.length === first.rule.axes.length && axes.every((axis, k) => axis === first.rule.axes[k]);
  return emits === 'group' && folds.length > 0 && apart.length === 0 && areAxes && sameShape(space, first.space);
}
