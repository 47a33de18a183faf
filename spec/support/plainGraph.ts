/**
 * @file A graph as plain data, for comparison by structure: members that are undefined are left out, tensors are their bits.
 */
import { isOpNode, isValueNode, nodesOf, type Graph } from '../../src/graph/graph.js';
import { bytesOf } from '../../src/graph/base64.js';
import { plainText } from '../../src/graph/plainText.js';
import type { Tensor } from '../../src/tensor/tensor.js';

const bits = ({ dtype, shape, data }: Tensor) => ({ dtype, shape: [...shape], bytes: [...bytesOf(data)] });

const present = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

export const plainGraph = (graph: Graph): unknown => ({
  size: graph.size,
  inputs: [...graph.inputs],
  outputs: graph.outputs.map(({ name, id }) => ({ name, id })),
  unproduced: graph.unproduced?.map(({ name, id }) => ({ name, id })),
  faults: graph.faults.map(present),
  metadata: plainText(graph.metadata),
  nodes: [...nodesOf(graph)].map((node) => ({
    ...present(node),
    inputs: [...node.inputs],
    metadata: plainText(node.metadata),
    ...(isOpNode(node) ? { params: plainText(node.params) } : isValueNode(node) ? { value: bits(node.value) } : {}),
  })),
});
