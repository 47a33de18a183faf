/**
 * @file Steps as one fold: what is folded, by what, and what is written, if their shapes allow it.
 *
 * All folds run over the same axes of one shape, the space. A value is a term over the operands' elements at a point of the
 * space; one whose folded axes are dropped, so that it would not align with the space, is a term over its group's.
 */
import type { ComputedDType } from '../tensor/dtype.js';
import { sameShape, type Shape } from '../tensor/shape.js';
import { typedStep, type Typed } from './fused.js';
import { isFold, through, type FusedStep } from './fusedSteps.js';
import { knownOp } from './known.js';
import type { Fold, FoldRule } from './op.js';
import { s, type Scalar } from './scalar.js';

/** A value before it is known what it is computed from. */
interface Sized {
  readonly shape: Shape;
  readonly dtype: ComputedDType;
  /** The rule of a fold. */
  readonly rule?: FoldRule;
}

/** Undefined where one kernel cannot do all steps. */
export function foldOfSteps(
  steps: readonly FusedStep[],
  shapes: readonly Shape[],
  dtypes: readonly ComputedDType[],
): FoldRule | undefined {
  const values = through<Sized>(
    steps,
    shapes.map((shape, k) => ({ shape, dtype: dtypes[k] })),
    (op, args, { params, op: name }) => {
      const [argShapes, argDtypes] = [args.map(({ shape }) => shape), args.map(({ dtype }) => dtype)];
      return {
        shape: op.shape(argShapes, params, { op: name }) as Shape,
        dtype: op.dtype(argDtypes, params),
        rule: isFold(op) ? op.fold!(params, argShapes, argDtypes) : undefined,
      };
    },
  );
  const folding = steps.findIndex(({ op }) => isFold(knownOp(op)));
  const axes = [...(values[shapes.length + folding].rule?.axes ?? [])].sort((a, b) => a - b);
  const space = values[steps[folding].args[0]].shape;
  const isSame = steps.every(({ op, args: [source] }, at) => {
    if (!isFold(knownOp(op))) return true;
    const rule = values[shapes.length + at].rule;
    const areAxes = rule?.axes.length === axes.length && axes.every((axis) => rule.axes.includes(axis));
    return areAxes && rule.folds.length > 0 && rule.shape === undefined && sameShape(values[source].shape, space);
  });
  if (!isSame || !isOneArithmetic(values)) return undefined;
  const besides = valuesBeside(steps, values, space, axes, shapes.length);
  const emits = besides && writtenFor(values.at(-1)!, space, axes, besides.at(-1)!);
  if (besides === undefined || emits === undefined) return undefined;
  return {
    axes,
    shape: space,
    besides: shapes.flatMap((_, k) => (besides[k] ? [k] : [])),
    emits,
    ...composed(steps, values, shapes.length),
  };
}

/** Kernels wrap folds to int32 where the result is int32, and nowhere else. */
function isOneArithmetic(values: readonly Sized[]): boolean {
  const isWhole = values.at(-1)!.dtype === 'int32';
  return values.every(({ rule, dtype }) => rule === undefined || (dtype === 'int32') === isWhole);
}

/** For each value whether it lies along groups whose folded axes are dropped; undefined where values would not align. */
function valuesBeside(
  steps: readonly FusedStep[],
  values: readonly Sized[],
  space: Shape,
  axes: readonly number[],
  operands: number,
): readonly boolean[] | undefined {
  // Dropped leading axes leave what aligns at the right.
  const isLeading = axes.every((axis, k) => axis === k);
  const isDropped = ({ rule, shape }: Sized): boolean => rule?.emits === 'group' && !isLeading && shape.length < space.length;
  const beside = values.map(() => false);
  steps.forEach(({ args }, at) => {
    const value = values[operands + at];
    beside[operands + at] = value.rule === undefined ? args.some((arg) => beside[arg]) : isDropped(value);
  });
  for (let at = steps.length - 1; at >= 0; at--) {
    const place = operands + at;
    if (!beside[place] || values[place].rule !== undefined) continue;
    for (const arg of steps[at].args) if (values[arg].shape.some((size) => size !== 1)) beside[arg] = true;
  }
  const groups = space.filter((_, axis) => !axes.includes(axis));
  const fits = values.every(({ shape, rule }, at) =>
    beside[at]
      ? (rule === undefined || isDropped({ rule, shape, dtype: 'bool' })) && reaches(shape, groups)
      : reaches(shape, space),
  );
  const isMixed = steps.some(({ args }, at) => {
    const isApart = beside[operands + at] && values[operands + at].rule === undefined;
    return !isApart && args.some((arg) => beside[arg]);
  });
  return fits && !isMixed ? beside : undefined;
}

/** Broadcasts to a shape. */
const reaches = (shape: Shape, to: Shape): boolean =>
  shape.length <= to.length && shape.every((size, axis) => size === 1 || size === to[to.length - shape.length + axis]);

function writtenFor(
  { shape, rule }: Sized,
  space: Shape,
  axes: readonly number[],
  isBeside: boolean,
): FoldRule['emits'] | undefined {
  // A group of one has the shape of its element.
  if (!isBeside && rule?.emits !== 'group' && sameShape(shape, space)) return 'element';
  const kept = space.map((size, axis) => (axes.includes(axis) ? 1 : size));
  const groups = space.filter((_, axis) => !axes.includes(axis));
  return sameShape(shape, groups) || (!isBeside && sameShape(shape, kept)) ? 'group' : undefined;
}

/** The steps' terms. A fold's result, rounded, is what becomes of its last fold. */
function composed(steps: readonly FusedStep[], values: readonly Sized[], operands: number): Pick<FoldRule, 'folds' | 'result'> {
  const folds: Fold[] = [];
  const inputs = values.slice(0, operands).map(({ dtype }, k): Typed => ({ term: s.operand(k), dtype }));
  const last = steps.at(-1);
  let place = operands;
  const result = through<Typed>(steps, inputs, (op, args, step) => {
    const { rule, dtype } = values[place++];
    if (rule === undefined) return typedStep({ steps }, op, args, step);
    const terms = args.map(({ term }) => term);
    const own = rule.folds.map((_, k) => s.fold(folds.length + k));
    const term = rule.result(own, terms);
    const isKept = rule.emits === 'element' || step === last || isExact(rule, term, own, args[0].dtype === dtype);
    rule.folds.forEach(({ monoid, value, finish }, k) => {
      const made = value(terms, own.slice(0, k));
      const ends = k < own.length - 1 ? finish?.(own.slice(0, k + 1)) : isKept ? undefined : s.roundTo(dtype, term);
      folds.push({ monoid, value: () => made, ...(ends === undefined ? {} : { finish: () => ends }) });
    });
    if (rule.emits === 'group' && !isKept) return { term: own.at(-1)!, dtype };
    return { term: rule.emits === 'group' || step === last ? term : s.roundTo(dtype, term), dtype };
  }).at(-1)!.term;
  return { folds, result: () => result };
}

/** The largest and smallest of rounded values need no rounding. */
const isExact = ({ folds }: FoldRule, term: Scalar, own: readonly Scalar[], isSameDtype: boolean): boolean =>
  isSameDtype && term === own.at(-1) && (folds.at(-1)!.monoid === 'max' || folds.at(-1)!.monoid === 'min');
