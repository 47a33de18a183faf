/**
 * @file What a node costs, from the types of its operands and its result alone: the measure of schedules, fusions and reports.
 *
 * A contraction takes a multiplication and an addition for each combination of its letters, in the order that it is
 * contracted in; what reads its operands once takes an operation for each element and step. A view takes nothing.
 */
import type { OpNode } from '../graph/graph.js';
import { knownOp } from '../ops/known.js';
import type { FusedStep } from '../ops/fused.js';
import { isGroup } from '../ops/fusedSteps.js';
import type { AnyOp, Params } from '../ops/op.js';
import { byteSize, type ComputedDType } from '../tensor/dtype.js';
import type { Shape } from '../tensor/shape.js';
import { contractionPath } from './path/index.js';

/** Shape and dtype of a value, both known. */
export interface ValueSize {
  readonly shape: Shape;
  readonly dtype: ComputedDType;
}

/** What one execution of a node costs. */
export interface NodeCost {
  /** Scalar operations. */
  readonly compute: number;
  /** Bytes read and written. */
  readonly memory: number;
  /** Bytes of the result: what moves where a reader is elsewhere. */
  readonly communication: number;
}

/**
 * The cost of a node of a sound graph.
 *
 * @throws EinstreamError E_LIMIT where a contraction has no order
 */
export function nodeCost(
  { op: name, params }: Pick<OpNode, 'op' | 'params'>,
  inputs: readonly ValueSize[],
  result: ValueSize,
): NodeCost {
  const op = knownOp(name)!;
  const communication = bytesOf(result);
  if (op.view !== undefined) return { compute: 0, memory: 0, communication };
  const compute = operations(op, params, inputs, elementsOf(result.shape));
  return { compute, memory: inputs.reduce((sum, each) => sum + bytesOf(each), communication), communication };
}

function operations(op: AnyOp, params: Params, inputs: readonly ValueSize[], written: number): number {
  const shapes = inputs.map(({ shape }) => shape);
  const steps = isGroup(op.name) ? (params as { readonly steps: readonly FusedStep[] }).steps.length : 1;
  if (op.contract !== undefined) return contractionPath(op.contract(params, shapes)).flops + (steps - 1) * written;
  const rule = op.fold?.(params, shapes, inputs.map(({ dtype }) => dtype)); // prettier-ignore
  if (rule === undefined) return steps * written;
  // Each step of a group is taken about once for each element; a fold by itself runs over them as often as it says.
  const turns = Math.max(rule.folds.length, steps - 1);
  return turns * elementsOf(rule.shape ?? shapes[0]) + written;
}

const elementsOf = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

/** Bytes of a value. */
export const bytesOf = ({ shape, dtype }: ValueSize): number => elementsOf(shape) * byteSize(dtype);
