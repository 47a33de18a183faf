/**
 * @file What nodes do, on the sizes that are known and a guess for those that are not.
 */
import { findNode, type Graph, type InputNode, type OpNode } from '../graph/graph.js';
import type { Given } from '../graph/bind.js';
import type { ValueType } from '../graph/infer.js';
import { inferTypes } from '../graph/shapes.js';
import { isStatic } from '../ops/dims.js';
import { bytesOf, nodeWork, type NodeWork, type ValueSize } from '../plan/cost.js';

/** What a size is taken to be that nobody stated. */
const USUAL = 64;

/** Types of all values; symbols of inputs count as `USUAL`, unless that contradicts what is stated. */
export function guessedTypes(graph: Graph, given: Given): readonly (ValueType | undefined)[] {
  const guesses = new Map(given);
  for (const id of graph.inputs) {
    const { op, dims, dtype } = findNode(graph, id) as InputNode;
    if (op !== 'input') continue;
    const stated = given.get(id)?.dims ?? dims;
    guesses.set(id, {
      ...(stated === undefined ? {} : { dims: stated.map((dim) => (typeof dim === 'number' ? dim : USUAL)) }),
      dtype: dtype ?? 'float32',
    });
  }
  try {
    return inferTypes(graph, guesses);
  } catch {
    // Sizes that are not equal: what is stated is all that is known. If that is at fault itself, this throws.
    return inferTypes(graph, given);
  }
}

const NOTHING: NodeWork = { operations: {}, memory: 0, communication: 0 };

/** What one node does; nothing where its types are not known. */
export function workOf(node: OpNode, types: readonly (ValueType | undefined)[]): NodeWork {
  const [result, ...inputs] = [node.id, ...node.inputs].map((each) => sizeOf(types[each]));
  if (result === undefined || inputs.includes(undefined)) return NOTHING;
  return nodeWork(node, inputs as readonly ValueSize[], result);
}

/** Bytes of a value; 0 where its type is not known. */
export function bytesIn(type: ValueType | undefined): number {
  const size = sizeOf(type);
  return size === undefined ? 0 : bytesOf(size);
}

/** Undefined where its type is not known. */
export const sizeOf = (type: ValueType | undefined): ValueSize | undefined =>
  type?.dims !== undefined && type.dtype !== undefined && isStatic(type.dims)
    ? { shape: type.dims, dtype: type.dtype }
    : undefined;
