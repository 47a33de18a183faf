/**
 * @file The key of every value: its name, made unique. Outputs, shapes and `keep` are keyed so.
 */
import { findNode, nameOf, nodesOf, type Graph, type NodeId } from './graph.js';
import { uniqueKeys } from './unique.js';
import { checkGraph } from './check-graph.js';

interface Keys {
  /** By id; undefined where the graph has no node. */
  readonly byId: readonly (string | undefined)[];
  readonly ids: ReadonlyMap<string, NodeId>;
}

const known = new WeakMap<Graph, Keys>();

/**
 * The key of each value by id: the name, or `name#<id>` where an earlier value has the name. Values without a name
 * are called after their op and id, and yield to those that have one.
 */
export const keysOf = (graph: Graph): readonly (string | undefined)[] => keys(graph).byId;

/** The id of the value with this key, or with this name among the outputs; undefined where there is none. */
export const idOfKey = (graph: Graph, key: string): NodeId | undefined => keys(graph).ids.get(key);

/** Ids of inputs and params by name: a feed by name fills them all. */
export function inputsByName(graph: Graph): ReadonlyMap<string, readonly NodeId[]> {
  const byName = new Map<string, NodeId[]>();
  for (const id of graph.inputs) {
    const node = findNode(graph, id);
    if (node === undefined) continue;
    const same = byName.get(nameOf(node));
    if (same === undefined) byName.set(nameOf(node), [id]);
    else same.push(id);
  }
  return byName;
}

function keys(graph: Graph): Keys {
  const found = known.get(graph);
  if (found !== undefined) return found;
  checkGraph(graph);
  const made = makeKeys(graph);
  known.set(graph, made);
  return made;
}

function makeKeys(graph: Graph): Keys {
  const ids = new Map<string, NodeId>();
  const given = new Array<string | undefined>(graph.size);
  const made = new Array<string | undefined>(graph.size);
  for (const node of nodesOf(graph)) {
    if (node.name === undefined) made[node.id] = nameOf(node);
    else given[node.id] = node.name;
  }
  const byId = uniqueKeys(given, ids);
  uniqueKeys(made, ids).forEach((key, id) => (byId[id] ??= key));
  for (const { name, id } of graph.outputs) if (!ids.has(name)) ids.set(name, id);
  return { byId, ids };
}
