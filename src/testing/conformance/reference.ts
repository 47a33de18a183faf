/**
 * @file What a graph means: each node by its op's definition, in order, without kernels, fusion or reused memory.
 */
import { findNode, isOpNode, isValueNode, nameOf, type Graph } from '../../graph/graph.js';
import { topology } from '../../graph/topology.js';
import { evaluateOp } from '../../ops/evaluate.js';
import { findOp } from '../../ops/registry.js';
import type { Tensor } from '../../tensor/tensor.js';

/** The outputs by name, in order; feeds are tensors of the declared types. */
export function reference(graph: Graph, feeds: Readonly<Record<string, Tensor>>): ReadonlyMap<string, Tensor> {
  const values = new Map<number, Tensor>();
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (isOpNode(node)) {
      const operands = node.inputs.map((input) => values.get(input)!);
      values.set(id, evaluateOp(findOp(node.op)!, operands, node.params));
    } else {
      const fed = Object.hasOwn(feeds, nameOf(node)) ? feeds[nameOf(node)] : undefined;
      values.set(id, fed ?? (isValueNode(node) ? node.value : undefined)!);
    }
  }
  return new Map(graph.outputs.map(({ name, id }) => [name, values.get(id)!]));
}
