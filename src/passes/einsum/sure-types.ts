/**
 * @file What is known of types whatever params are fed: a feed may override a param in another shape of its rank.
 */
import { findNode, type Graph, type NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { inferTypes } from '../../graph/shapes.js';
import type { Dims } from '../../ops/dims.js';

/** Types with a size of its own for each axis of each param, inferred when they are first asked for. */
export function sureTypes(graph: Graph, types: readonly (ValueType | undefined)[]): () => readonly (ValueType | undefined)[] {
  let sure: readonly (ValueType | undefined)[] | undefined;
  return () => (sure ??= inferred(graph, types));
}

function inferred(graph: Graph, types: readonly (ValueType | undefined)[]): readonly (ValueType | undefined)[] {
  const given = new Map<NodeId, { readonly dims: Dims }>();
  for (const id of graph.inputs)
    if (findNode(graph, id)?.op === 'param') given.set(id, { dims: types[id]!.dims!.map((_, axis) => `param ${id}.${axis}`) });
  return given.size === 0 ? types : inferTypes(graph, given);
}
