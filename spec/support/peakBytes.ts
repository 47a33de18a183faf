/**
 * @file The most bytes that live at one step of a graph, by looking at every value at every step: an oracle for small graphs.
 *
 * Values are made in order; each lives until its last reader has run, outputs to the end. What the graph is given does not count,
 * and a view keeps the memory that it shows.
 */
import { findNode, isOpNode, type Graph, type NodeId } from '../../src/graph/graph.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { topology } from '../../src/graph/topology.js';
import { knownOp } from '../../src/ops/known.js';
import { byteSize } from '../../src/tensor/dtype.js';

export function peakBytes(graph: Graph): number {
  const types = inferTypes(graph);
  const { order } = topology(graph);
  const isView = (id: NodeId): boolean => {
    const node = findNode(graph, id)!;
    return isOpNode(node) && knownOp(node.op)!.view !== undefined;
  };
  const memoryOf = (id: NodeId): NodeId => (isView(id) ? memoryOf(findNode(graph, id)!.inputs[0]) : id);
  const bytes = (id: NodeId): number => (types[id]!.dims as readonly number[]).reduce((count, size) => count * size, 1) * byteSize(types[id]!.dtype!); // prettier-ignore
  let peak = 0;
  order.forEach((_step, now) => {
    const isNeeded = (id: NodeId): boolean =>
      graph.outputs.some((output) => memoryOf(output.id) === id) ||
      order.slice(now).some((reader) => reader === id || findNode(graph, reader)!.inputs.some((input) => memoryOf(input) === id));
    const live = order.slice(0, now + 1).filter((id) => isOpNode(findNode(graph, id)!) && !isView(id) && isNeeded(id));
    peak = Math.max(peak, live.reduce((sum, id) => sum + bytes(id), 0)); // prettier-ignore
  });
  return peak;
}
