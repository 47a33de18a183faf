/**
 * @file What a fold runs over, in terms of dims: the space of its operand, the axes, and how its result lies beside it.
 */
import type { OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import type { Dim, Dims } from '../../ops/dims.js';
import { foldedDims } from '../../ops/foldAxes.js';
import { isFold } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import { isComputed } from '../../tensor/dtype.js';

/** Elements of a row that stay in a cache near enough to be read again for nothing. */
const LONG = 2 ** 15;
/** Rows that fill no more vectors than it takes to begin and end a fold. */
const SHORT = 64;
/** Elements that are computed before a further kernel is even called. */
const FEW = 4096;

export interface Space {
  readonly dims: Dims;
  /** Ascending. */
  readonly axes: readonly number[];
  /** Runs over a row that the fold takes. */
  readonly turns: number;
  /** One value an element (softmax), or one a group, beside or aligned with the elements. */
  readonly gives: 'elements' | 'aligned' | 'beside';
  /** Adds up its operand as it is. */
  readonly isPlainSum: boolean;
  /** A second run over a row finds it in the cache. */
  readonly isNear: boolean;
  /** Rows are so short that vectors along them are hardly filled, and not few. */
  readonly isShort: boolean;
}

/** Undefined for what is not a fold, or one of unknown rank. */
export function spaceOf({ op: name, params, inputs }: OpNode, types: readonly (ValueType | undefined)[]): Space | undefined {
  const op = knownOp(name);
  const of = inputs.map((id) => types[id]);
  const dims = of[0]?.dims;
  if (!isFold(op) || dims === undefined) return undefined;
  const shapes = of.flatMap((type) => (type?.dims === undefined ? [] : [type.dims.map((dim) => (typeof dim === 'number' ? dim : 2))])); // prettier-ignore
  const dtypes = of.flatMap((type) => (type?.dtype !== undefined && isComputed(type.dtype) ? [type.dtype] : []));
  if (shapes.length < of.length || dtypes.length < of.length) return undefined;
  const rule = op.fold!(params, shapes, dtypes);
  if (rule === undefined || rule.folds.length === 0 || rule.shape !== undefined) return undefined;
  const axes = [...rule.axes].sort((a, b) => a - b);
  const [only] = rule.folds;
  return {
    dims,
    axes,
    turns: rule.folds.length,
    gives: rule.emits === 'element' ? 'elements' : isAligned(dims, axes, params) ? 'aligned' : 'beside',
    isPlainSum: rule.folds.length === 1 && only.monoid === 'sum' && only.value([OPERAND], []) === OPERAND,
    ...reachOf(dims, axes),
  };
}

const OPERAND = { kind: 'operand', index: 0 } as const;

/** Axes are kept, or those dropped are in front. */
const isAligned = (dims: Dims, axes: readonly number[], { keepdims }: Readonly<Record<string, unknown>>): boolean =>
  keepdims === true || axes.length === 0 || axes.every((axis, k) => axis === k) || dims.length === axes.length;

/** How far a row reaches. Unknown sizes are taken to be neither long nor short, and many. */
function reachOf(dims: Dims, axes: readonly number[]): Pick<Space, 'isNear' | 'isShort'> {
  const wide = dims.flatMap((dim, axis) => (dim === 1 ? [] : [axis]));
  const folded = wide.filter((axis) => axes.includes(axis));
  const count = (of: readonly number[], unknown: number): number =>
    of.reduce((product, axis) => product * (typeof dims[axis] === 'number' ? dims[axis] : unknown), 1);
  const isLast = folded.every((axis, k) => axis === wide[wide.length - folded.length + k]);
  return {
    isNear: isLast && count(folded, 1) <= LONG,
    isShort: count(folded, SHORT) < SHORT && count(wide, Infinity) > FEW,
  };
}

/** Sizes are the same, known or not: what turns out otherwise runs one kernel a step. */
export const sameDims = (a: Dims | undefined, b: Dims | undefined): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && a.every((dim: Dim, axis) => dim === b[axis]);

/** The space that a value would be folded over to be read, once a row, by one of these dims; undefined where that is no row. */
export function spaceOfRows(dims: Dims | undefined, read: Dims | undefined): Space | undefined {
  if (dims === undefined || read === undefined || dims.length > read.length) return undefined;
  const own = (axis: number): Dim => dims[axis - read.length + dims.length] ?? 1;
  const axes = read.flatMap((dim, axis) => (dim !== 1 && own(axis) === 1 ? [axis] : []));
  const isRow = axes.length > 0 && read.every((dim, axis) => axes.includes(axis) || own(axis) === dim);
  const reach = reachOf(read, axes);
  return isRow && reach.isNear && !reach.isShort ? { dims: read, axes, turns: 0, gives: 'aligned', isPlainSum: false, ...reach } : undefined; // prettier-ignore
}

/** Dims of a value of each group that aligns with the space. */
export const isKept = (dims: Dims | undefined, { dims: space, axes }: Space): boolean => {
  const kept = foldedDims(space, axes, true);
  return sameDims(dims, kept) || (axes.every((axis, k) => axis === k) && sameDims(dims, foldedDims(space, axes, false)));
};

/** Dims of what is the same along a row. */
export const isStill = (dims: Dims | undefined, { dims: space, axes }: Space): boolean =>
  dims !== undefined && dims.every((dim, axis) => dim === 1 || !axes.includes(axis + space.length - dims.length));

/** Dims of a value of each group that does not. */
export const isBeside = (dims: Dims | undefined, { dims: space, axes }: Space): boolean =>
  sameDims(dims, foldedDims(space, axes, false));
