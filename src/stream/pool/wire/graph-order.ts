/**
 * @file A graph on its way to a worker: its text, and beside it the values that are too large to be written down.
 */
import { chunked, findNode, isValueNode, nodesOf, type Graph, type Node } from '../../../graph/graph.js';
import { parseGraph } from '../../../graph/formats/parse.js';
import { serializeGraph } from '../../../graph/formats/serialize.js';
import { allocateTensor, type Tensor } from '../../../tensor/tensor.js';
import { pack, unpack, type Manner } from './pack.js';
import type { GraphOrder } from './protocol.js';

/** Values with more elements travel as bytes. */
const WRITTEN = 64;
/** The text is our own, however large. */
const LIMITS = { bytes: Infinity, nodes: Infinity, tensors: Infinity, tensorBytes: Infinity };

const withValues = (graph: Graph, valueOf: (node: Node & { readonly value: Tensor }) => Tensor | undefined): Graph => {
  const nodes = new Array<Node | undefined>(graph.size).fill(undefined);
  for (const node of nodesOf(graph)) {
    const value = isValueNode(node) ? valueOf(node) : undefined;
    nodes[node.id] = value === undefined ? node : ({ ...node, value } as Node);
  }
  return Object.freeze({ ...graph, chunks: chunked(nodes) });
};

export function graphOrder(graph: Graph, number: number, manner: Manner): GraphOrder {
  const large: [number, Tensor][] = [];
  for (const node of nodesOf(graph)) if (isValueNode(node) && node.value.size > WRITTEN) large.push([node.id, node.value]);
  const isLarge = new Set(large.map(([id]) => id));
  const told =
    large.length === 0
      ? graph
      : withValues(graph, ({ id, value }) => (isLarge.has(id) ? allocateTensor([0], value.dtype) : undefined));
  return {
    kind: 'graph',
    graph: number,
    text: serializeGraph(told),
    ids: large.map(([id]) => id),
    values: pack(
      large.map(([id, value]) => [String(id), value]),
      manner,
    ),
  };
}

/** The same graph again: ids, names and values are what they were. @throws EinstreamError as `parseGraph` */
export function graphFrom({ text, ids, values }: GraphOrder): Graph {
  const graph = parseGraph(text, LIMITS);
  if (ids.length === 0) return graph;
  const tensors = new Map(unpack(values).map(([, tensor], at) => [ids[at], tensor]));
  return withValues(graph, ({ id }) => (findNode(graph, id) === undefined ? undefined : tensors.get(id)));
}
