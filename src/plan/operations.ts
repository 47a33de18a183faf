/**
 * @file Scalar operations of a node, by what kind of work they are.
 *
 * Of a group each step counts as it would by itself, so that joining nodes changes no operations; what a kernel computes again
 * rather than keep it is cheap beside what it saves.
 */
import { expressionOf } from '../ops/fused.js';
import { isElementwise, isGroup, through, type FusedStep } from '../ops/fusedSteps.js';
import type { AnyOp, FoldRule, Params } from '../ops/op.js';
import { s, type Scalar } from '../ops/scalar.js';
import { dearestOf, DIVISION, FUNCTION } from '../ops/weight.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Shape } from '../tensor/shape.js';
import { contractionPath, type ContractionPath } from './path/index.js';

/**
 * A step for each element: one that a processor has an instruction for, a division or a root, or a function made of many; a fold, a
 * sum of products, or to move elements about.
 */
export type WorkKind = 'elementwise' | 'division' | 'function' | 'fold' | 'contraction' | 'movement';

/** How many of each kind. */
export type Operations = Readonly<Partial<Record<WorkKind, number>>>;

/** Shape and dtype of a value, both known. */
export interface ValueSize {
  readonly shape: Shape;
  readonly dtype: ComputedDType;
}

/** @throws EinstreamError E_LIMIT where a contraction has no order */
export function operationsOf(op: AnyOp, params: Params, inputs: readonly ValueSize[], result: ValueSize): Operations {
  const found: Partial<Record<WorkKind, number>> = {};
  const add = (kind: WorkKind, count: number): void => void (found[kind] = (found[kind] ?? 0) + count);
  count(op, params, inputs, result, add);
  return found;
}

type Add = (kind: WorkKind, count: number) => void;

function count(op: AnyOp, params: Params, inputs: readonly ValueSize[], result: ValueSize, add: Add): void {
  if (isGroup(op.name)) return countSteps(params as unknown as { readonly steps: readonly FusedStep[] }, inputs, add);
  const shapes = inputs.map(({ shape }) => shape);
  const dtypes = inputs.map(({ dtype }) => dtype);
  const written = elementsOf(result.shape);
  if (op.contract !== undefined) return countContractions(contractionPath(op.contract(params, shapes)), add);
  const rule = op.fold?.(params, shapes, dtypes);
  if (rule === undefined)
    add(isElementwise(op) ? kindOf(expressionOf(op, params, dtypes, operands(inputs)), 'elementwise') : 'movement', written); // prettier-ignore
  else countFolds(rule, inputs, elementsOf(rule.shape ?? shapes[0]), written, add);
}

function countSteps({ steps }: { readonly steps: readonly FusedStep[] }, inputs: readonly ValueSize[], add: Add): void {
  through(steps, inputs, (op, args, { params }): ValueSize => {
    // Ranks and sizes are known, so those of each step are.
    const shape = op.shape(args.map((each) => each.shape), params, { op: op.name }) as Shape; // prettier-ignore
    const result = { shape, dtype: op.dtype(args.map(({ dtype }) => dtype), params) }; // prettier-ignore
    if (op.view === undefined) count(op, params, args, result, add);
    return result;
  });
}

/** Of one operand a contraction sums or copies; where nothing is summed it multiplies elements. */
function countContractions({ steps }: ContractionPath, add: Add): void {
  for (const { inputs, flops, elements } of steps)
    add(inputs.length === 1 ? 'fold' : flops > elements ? 'contraction' : 'elementwise', flops);
}

function countFolds({ folds, result }: FoldRule, inputs: readonly ValueSize[], folded: number, written: number, add: Add): void {
  const read = operands(inputs);
  const given = folds.map((_, k) => s.fold(k));
  folds.forEach(({ value }, k) => add(kindOf(value(read, given.slice(0, k)), 'fold'), folded));
  add(kindOf(result(given, read), 'fold'), written);
}

const operands = (inputs: readonly ValueSize[]): readonly Scalar[] => inputs.map((_, k) => s.operand(k));

export const elementsOf = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

function kindOf(term: Scalar, cheap: WorkKind): WorkKind {
  const dearest = dearestOf(term);
  if (dearest < DIVISION) return cheap;
  return dearest < FUNCTION ? 'division' : 'function';
}
