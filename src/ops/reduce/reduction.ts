/**
 * @file What all reductions share: `axis` and `keepdims`, the shape that is left, and what an empty group means.
 */
import { fault } from '../../errors/index.js';
import { formatShape } from '../../tensor/shape.js';
import type { Dims } from '../dims.js';
import { foldAxes, foldedDims, type Axes } from '../foldAxes.js';
import { defineOp, type Example, type Fold, type FoldRule, type Op, type OpDefinition, type Place } from '../op.js';
import { axes, flag, type ParamRules } from '../params.js';

/** `axis`: one, several in any order, or absent for all (`[]` folds nothing). `keepdims` leaves them as size 1. */
export interface ReduceParams {
  readonly axis?: Axes;
  readonly keepdims?: boolean;
}

export interface Reduction<P extends ReduceParams> extends Pick<
  OpDefinition<1, P>,
  'name' | 'doc' | 'aliases' | 'dtype' | 'tolerance' | 'vjp'
> {
  /** Rules of parameters beyond `axis` and `keepdims`. */
  readonly params?: ParamRules<Omit<P, keyof ReduceParams>>;
  /** `'error'` where a group without elements has no result: there is no largest of nothing. */
  readonly empty: 'error' | 'value';
  readonly folds: readonly Fold[];
  readonly result: (params: P) => FoldRule['result'];
  readonly examples: readonly Example[];
}

/** Sums in float32 lose a few digits with length, so backends may differ by more than one rounding. */
const ACCUMULATED = { relative: 1e-5, absolute: 1e-6 };

/** Defines an op of one operand that folds some of its axes. */
export function defineReduction<P extends ReduceParams = ReduceParams>(reduction: Reduction<P>): Op<1, P> {
  const { params, empty, folds, result, ...rest } = reduction;
  return defineOp<1, P>({
    tolerance: ACCUMULATED,
    ...rest,
    arity: 1,
    params: { axis: axes(null), keepdims: flag(false), ...params } as unknown as ParamRules<P>,
    shape: ([dims], given, place) => reducedDims(dims, given, empty, place),
    fold: (given, [shape]) => ({
      axes: foldAxes(given.axis, shape.length, rest.name),
      folds,
      result: result(given),
      emits: 'group',
    }),
  });
}

function reducedDims(
  dims: Dims | undefined,
  { axis, keepdims = false }: ReduceParams,
  empty: 'error' | 'value',
  place: Place,
): Dims | undefined {
  const all = axis === null || axis === undefined;
  if (dims === undefined) return all && !keepdims ? [] : undefined;
  const folded = foldAxes(axis, dims.length, place);
  const bare = empty === 'error' ? folded.find((at) => dims[at] === 0) : undefined;
  if (bare !== undefined) {
    throw fault('E_SHAPE', {
      ...place,
      rule: `axis ${bare} has no elements, so there is no result`,
      expected: `a size of at least 1 at axis ${bare}`,
      actual: `shape ${formatShape(dims)}`,
      hint: 'leave empty batches out, or concatenate a value that stands for nothing',
    });
  }
  return foldedDims(dims, folded, keepdims);
}
