/**
 * @file What a graph costs by `nodeCost`, on the sizes that are known and a guess for those that are not.
 */
import { findNode, isOpNode, nodesOf, type Graph, type InputNode, type OpNode } from '../graph/graph.js';
import type { Given } from '../graph/bind.js';
import type { ValueType } from '../graph/infer.js';
import { inferTypes } from '../graph/shapes.js';
import { isStatic } from '../ops/dims.js';
import { byteSize } from '../tensor/dtype.js';
import { numElements } from '../tensor/shape.js';
import { nodeCost, type ValueSize } from '../plan/cost.js';

/** What a size is taken to be that nobody stated. */
const USUAL = 64;
/** Bytes that move in the time of one operation: an element of float32. */
const BYTES_A_TURN = 4;

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

/** How long one node takes, in operations; 0 where its types are not known. */
export function timeOf(node: OpNode, types: readonly (ValueType | undefined)[]): number {
  const [result, ...inputs] = [node.id, ...node.inputs].map((each) => sizeOf(types[each]));
  if (result === undefined || inputs.includes(undefined)) return 0;
  const { compute, memory } = nodeCost(node, inputs as readonly ValueSize[], result);
  return compute + memory / BYTES_A_TURN;
}

/** How long it takes to write a value, or to read it once. */
export function movingTime(type: ValueType | undefined): number {
  const size = sizeOf(type);
  return size === undefined ? 0 : (numElements(size.shape) * byteSize(size.dtype)) / BYTES_A_TURN;
}

const sizeOf = (type: ValueType | undefined): ValueSize | undefined =>
  type?.dims !== undefined && type.dtype !== undefined && isStatic(type.dims)
    ? { shape: type.dims, dtype: type.dtype }
    : undefined;

/** How long all nodes take, one after another. */
export function graphTime(graph: Graph, types: readonly (ValueType | undefined)[]): number {
  let time = 0;
  for (const node of nodesOf(graph)) if (isOpNode(node)) time += timeOf(node, types);
  return time;
}
