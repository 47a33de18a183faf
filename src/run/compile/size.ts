/**
 * @file Bytes that a compiled graph keeps alive, about: the tensors of both its graphs, and a record for each node.
 */
import { isValueNode, nodesOf } from '../../graph/graph.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { CompiledGraph } from '../compiled.js';

/** A node with its name, operands and parameters. */
const NODE = 200;

export function bytesHeld({ graph, source }: CompiledGraph): number {
  const buffers = new Set<Tensor['buffer']>();
  let bytes = 0;
  for (const each of [source, graph])
    for (const node of nodesOf(each)) {
      bytes += NODE;
      if (!isValueNode(node) || buffers.has(node.value.buffer)) continue;
      buffers.add(node.value.buffer);
      bytes += node.value.buffer.array.byteLength;
    }
  return bytes;
}
