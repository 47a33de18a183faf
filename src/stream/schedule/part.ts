/**
 * @file A part of a graph as a graph: what it reads of the rest are inputs, what the rest reads of it are outputs.
 */
import { chunked, findNode, isOpNode, nameOf, type Graph, type InputNode, type Node, type NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';

export interface Part {
  readonly graph: Graph;
  /** Ids in the whole of what it takes, constants apart; params among them may be left out. */
  readonly takes: readonly NodeId[];
  readonly gives: readonly NodeId[];
  /** By id in the part, the id in the whole. */
  readonly wholeIds: readonly NodeId[];
}

/** What a value of the whole is called where a part takes or gives it. */
export const partName = (id: NodeId): string => `v${id}`;

/** @param ids nodes that compute, operands first @param gives those of them that others read @param types of all values of the whole */
export function partOf(
  whole: Graph,
  ids: readonly NodeId[],
  gives: readonly NodeId[],
  types: readonly (ValueType | undefined)[],
): Part {
  const places = new Map<NodeId, NodeId>();
  const nodes: Node[] = [];
  const takes: NodeId[] = [];
  const inside = new Set(ids);
  const take = (id: NodeId): void => {
    if (inside.has(id) || places.has(id)) return;
    const node = findNode(whole, id)!;
    places.set(id, nodes.length);
    if (node.op !== 'constant') takes.push(id);
    nodes.push(
      isOpNode(node) || node.op === 'input'
        ? fed(id, nodes.length, types[id])
        : { ...node, id: nodes.length, name: partName(id) },
    );
  };
  for (const id of ids) findNode(whole, id)!.inputs.forEach(take);
  for (const id of ids) {
    const node = findNode(whole, id)!;
    places.set(id, nodes.length);
    nodes.push({ ...node, id: nodes.length, name: nameOf(node), inputs: node.inputs.map((input) => places.get(input)!) });
  }
  const graph: Graph = Object.freeze({
    chunks: chunked(nodes),
    size: nodes.length,
    inputs: Object.freeze(takes.map((id) => places.get(id)!)),
    outputs: Object.freeze(gives.map((id) => Object.freeze({ name: partName(id), id: places.get(id)! }))),
    faults: Object.freeze([]),
  });
  return { graph, takes, gives, wholeIds: [...places.keys()] };
}

const fed = (whole: NodeId, id: NodeId, type: ValueType | undefined): InputNode => ({
  id,
  op: 'input',
  name: partName(whole),
  inputs: Object.freeze([]),
  ...(type?.dims === undefined ? {} : { dims: type.dims }),
  ...(type?.dtype === undefined ? {} : { dtype: type.dtype }),
});
