/**
 * @file What a node costs, from the types of its operands and its result alone: the measure of schedules, fusions and reports.
 *
 * A contraction takes a multiplication and an addition for each combination of its letters, in the order that it is
 * contracted in; what reads its operands once takes an operation for each element and step. A view takes nothing.
 */
import type { OpNode } from '../graph/graph.js';
import { knownOp } from '../ops/known.js';
import { byteSize } from '../tensor/dtype.js';
import { elementsOf, operationsOf, type Operations, type ValueSize } from './operations.js';

export type { ValueSize } from './operations.js';

/** What one execution of a node costs. */
export interface NodeCost {
  /** Scalar operations. */
  readonly compute: number;
  /** Bytes read and written. */
  readonly memory: number;
  /** Bytes of the result: what moves where a reader is elsewhere. */
  readonly communication: number;
}

/** The same, with the operations by kind: what times are estimated from. */
export interface NodeWork extends Omit<NodeCost, 'compute'> {
  readonly operations: Operations;
}

/**
 * The cost of a node of a sound graph.
 *
 * @throws EinstreamError E_LIMIT where a contraction has no order
 */
export function nodeCost(node: Pick<OpNode, 'op' | 'params'>, inputs: readonly ValueSize[], result: ValueSize): NodeCost {
  const { operations, memory, communication } = nodeWork(node, inputs, result);
  return { compute: totalOf(operations), memory, communication };
}

/** @throws EinstreamError E_LIMIT where a contraction has no order */
export function nodeWork(
  { op: name, params }: Pick<OpNode, 'op' | 'params'>,
  inputs: readonly ValueSize[],
  result: ValueSize,
): NodeWork {
  const op = knownOp(name)!;
  const communication = bytesOf(result);
  if (op.view !== undefined) return { operations: {}, memory: 0, communication };
  const memory = inputs.reduce((sum, each) => sum + bytesOf(each), communication);
  return { operations: operationsOf(op, params, inputs, result), memory, communication };
}

/** Operations of all kinds. */
export const totalOf = (operations: Operations): number => Object.values(operations).reduce((sum, count) => sum + count, 0);

/** Bytes of a value. */
export const bytesOf = ({ shape, dtype }: ValueSize): number => elementsOf(shape) * byteSize(dtype);
