/**
 * @file What is known of types whatever params are fed: a feed may override a param in another shape of its rank.
 */
import { EinstreamError } from '../../errors/index.js';
import { findNode, isOpNode, type Graph, type Node, type NodeId, type OpNode } from '../../graph/graph.js';
import { inferNode, type ValueType } from '../../graph/infer.js';
import { topology } from '../../graph/topology.js';
import type { Dims } from '../../ops/dims.js';

/** Types with a size of its own for each axis of each param, inferred when they are first asked for. */
export function sureTypes(graph: Graph, types: readonly (ValueType | undefined)[]): () => readonly (ValueType | undefined)[] {
  let sure: readonly (ValueType | undefined)[] | undefined;
  return () => (sure ??= inferred(graph, types));
}

function inferred(graph: Graph, types: readonly (ValueType | undefined)[]): readonly (ValueType | undefined)[] {
  const find = (id: NodeId): Node | undefined => findNode(graph, id);
  if (!graph.inputs.some((id) => find(id)?.op === 'param')) return types;
  const sure = types.slice();
  for (const id of topology(graph).order) {
    const node = find(id)!;
    const { dims, dtype } = types[id]!;
    if (node.op === 'param') sure[id] = { dims: dims?.map((_, axis) => `param ${id}.${axis}`), dtype };
    else if (isOpNode(node)) sure[id] = { dims: dimsOrNone(node, node.inputs.map((input) => sure[input]!), find), dtype }; // prettier-ignore
  }
  return sure;
}

/** What only certain sizes allow is no fault here: nothing is sure of it. */
function dimsOrNone(node: OpNode, inputs: readonly ValueType[], find: (id: NodeId) => Node | undefined): Dims | undefined {
  try {
    return inferNode(node, inputs, find).dims;
  } catch (error) {
    if (error instanceof EinstreamError) return undefined;
    throw error;
  }
}
