/**
 * @file Shapes and dtypes of all values of a graph, from what is known of its inputs.
 */
import { excerpt, fault } from '../errors/index.js';
import type { Dims } from '../ops/dims.js';
import { bindInputs, type Given } from './bind.js';
import { readDims } from './dimension.js';
import { findNode, type Graph, type Node, type NodeId } from './graph.js';
import { inferNode, type ValueType } from './infer.js';
import { idOfKey, inputsByName, keysOf } from './keys.js';
import { topology } from './topology.js';
import { throwIfBroken } from './validate/validate.js';

/**
 * The type of each value, by id; undefined where the graph has no node. The graph must be sound: see `throwIfBroken`.
 *
 * @param given what is known of the feeds, by id
 * @throws EinstreamError E_SHAPE, E_DTYPE and the ops' own, naming the node
 */
export function inferTypes(graph: Graph, given: Given = new Map()): readonly (ValueType | undefined)[] {
  const types = new Array<ValueType | undefined>(graph.size).fill(undefined);
  for (const [id, type] of bindInputs(graph, given)) types[id] = type;
  const find = (id: NodeId): Node | undefined => findNode(graph, id);
  for (const id of topology(graph).order) {
    const node = find(id)!;
    types[id] ??= inferNode(
      node,
      node.inputs.map((input) => types[input]!),
      find,
    );
  }
  return types;
}

/**
 * The shape of every value by name: numbers where they are known, else symbols, or null for any size.
 * Values of unknown rank are left out. Repeated names are keyed `name#<id>`.
 *
 * ```ts
 * const g = graph({ x: input(['n', 3]) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
 * inferShapes(g, { x: [32, 3] }).get('y') // => [32]
 * inferShapes(g).get('y') // => ['n']
 * ```
 *
 * @param shapes of inputs by name, numeric or symbolic; what is left out is as declared
 * @throws EinstreamError E_SHAPE naming both places where sizes clash; E_ARGUMENT for a name that is no input;
 *   what `validate` finds, when the graph is broken
 */
export function inferShapes(
  graph: Graph,
  shapes: Readonly<Record<string, Dims>> | ReadonlyMap<string, Dims> = {},
): ReadonlyMap<string, Dims> {
  throwIfBroken(graph);
  const types = inferTypes(graph, givenShapes(graph, shapes));
  const result = new Map<string, Dims>();
  keysOf(graph).forEach((key, id) => {
    const dims = types[id]?.dims;
    if (key !== undefined && dims !== undefined) result.set(key, dims);
  });
  for (const { name, id } of graph.outputs) {
    const dims = types[id]?.dims;
    if (dims !== undefined && !result.has(name)) result.set(name, dims);
  }
  return result;
}

/** Shapes by name as shapes by id: a name stands for all inputs of that name, a key for one. */
export function givenShapes(graph: Graph, shapes: Readonly<Record<string, Dims>> | ReadonlyMap<string, Dims>): Given {
  const byName = inputsByName(graph);
  const given = new Map<NodeId, { readonly dims: Dims }>();
  for (const [name, value] of shapes instanceof Map ? shapes : Object.entries(shapes as Readonly<Record<string, Dims>>)) {
    const dims = readDims(value, name);
    for (const id of byName.get(name) ?? keyedInput(graph, name)) given.set(id, { dims });
  }
  return given;
}

function keyedInput(graph: Graph, key: string): readonly NodeId[] {
  const id = idOfKey(graph, key);
  if (id !== undefined && graph.inputs.includes(id)) return [id];
  const names = [...inputsByName(graph).keys()].slice(0, 8).map((name) => `"${excerpt(name, 40)}"`);
  throw fault('E_ARGUMENT', {
    place: 'shapes',
    rule: `"${excerpt(key, 40)}" must be an input of the graph`,
    expected: names.join(', ') || 'no input: the graph has none',
  });
}
