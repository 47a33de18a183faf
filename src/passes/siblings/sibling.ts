/**
 * @file A reduction that may share a run over its operand with others: over rows as they lie, of an operand that is large.
 *
 * A run that several share reads each element once, and one sum does not wait for the other: sum, largest and mean of squares
 * take js 1.8 times as long one after another, from 1,024 elements on. WebAssembly waits for memory alone: 1.35 times beyond
 * the caches, 1.1 times for long rows within them. Below a row of 256 elements it folds four rows at once instead, which is as
 * good or better (1.2 times at 64), and a view costs what a kernel over few elements does.
 */
import type { NodeId, OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import type { Dims } from '../../ops/dims.js';
import { isFold } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import { isComputed, type ComputedDType } from '../../tensor/dtype.js';
import { sameShape, type Shape } from '../../tensor/shape.js';

/** Elements from which on a run of its own costs more than a view, and those of a row. */
const LEAST = { all: 1024, row: 256 } as const;

/** What siblings have in common, as a text: the operand, the axes, and what they give. Undefined for what has none. */
export function familyOf(
  { id, op: name, params, inputs }: OpNode,
  types: readonly (ValueType | undefined)[],
): string | undefined {
  const op = knownOp(name);
  if (op?.fold === undefined || !(name === 'fusedFold' || isFold(op))) return undefined;
  const given = inputs.map((input) => types[input]);
  const own = types[id];
  const dtypes = given.map((type) => type?.dtype);
  if (own?.dims === undefined || own.dtype === undefined || !areKnown(given) || !areComputed(dtypes)) return undefined;
  const shapes = given.map(({ dims }: Known) => dims.map((dim) => (typeof dim === 'number' ? dim : UNKNOWN)));
  const rule = op.fold(params, shapes, dtypes);
  if (rule === undefined || rule.emits !== 'group' || rule.folds.length === 0 || (rule.besides ?? []).length > 0)
    return undefined;
  const space = rule.shape ?? shapes[0];
  const shared = inputs.find((_, k) => sameShape(shapes[k], space));
  if (shared === undefined || !areRows(space, rule.axes) || !isLarge(space, rule.axes)) return undefined;
  return [shared, rule.axes.join(), own.dims.map(String).join(), own.dtype].join('|');
}

/** A size that is not known makes nothing large. */
const UNKNOWN = 1;

type Known = ValueType & { readonly dims: Dims };

/** Ranks are known, and sizes wherever one operand has to fit another. */
function areKnown(types: readonly (ValueType | undefined)[]): types is readonly Known[] {
  const all = types.map((type) => type?.dims);
  const isStatic = all.every((dims) => dims?.every((dim) => typeof dim === 'number'));
  return !all.includes(undefined) && (isStatic || all.filter((dims) => dims!.length > 0).length === 1);
}

const areComputed = (dtypes: readonly (ValueType['dtype'] | undefined)[]): dtypes is readonly ComputedDType[] =>
  dtypes.every((dtype) => dtype !== undefined && isComputed(dtype));

/** The folded axes are the last ones. */
function areRows(space: Shape, axes: readonly number[]): boolean {
  const wide = space.flatMap((size, axis) => (size === 1 && !axes.includes(axis) ? [] : [axis]));
  return axes.length > 0 && wide.slice(-axes.length).every((axis) => axes.includes(axis));
}

const isLarge = (space: Shape, axes: readonly number[]): boolean =>
  count(space) >= LEAST.all && count(axes.map((axis) => space[axis])) >= LEAST.row;

const count = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

/** Ids of what a group reads, each once. */
export const operandsOf = (members: readonly OpNode[]): readonly NodeId[] => [
  ...new Set(members.flatMap(({ inputs }) => inputs)),
];
