/**
 * @file Names of values that must stay, as ids.
 */
import { fault } from '../errors/index.js';
import { findNode, type Graph, type NodeId } from '../graph/graph.js';
import { idOfKey } from '../graph/keys.js';

/** @throws EinstreamError E_ARGUMENT for a name that no value has */
export function keptIds(graph: Graph, keep: readonly string[]): readonly NodeId[] {
  return keep.map((name) => {
    const id = idOfKey(graph, name);
    if (id !== undefined && findNode(graph, id) !== undefined) return id;
    throw fault('E_ARGUMENT', { place: 'keep', rule: 'a kept name must be the name of a value', actual: JSON.stringify(name.slice(0, 80)) }); // prettier-ignore
  });
}
