/**
 * @file A graph computed in the plainest way: one op after another on plain tensors. What `run` must agree with.
 */
import { findNode, isOpNode, isValueNode, nameOf, type Graph } from '../../src/graph/graph.js';
import { topology } from '../../src/graph/topology.js';
import { evaluateOp } from '../../src/ops/index.js';
import { findOp } from '../../src/ops/registry.js';
import type { Tensor } from '../../src/tensor/tensor.js';

/** Outputs by name. A feed by name fills all inputs of that name. */
export function walkGraph(graph: Graph, feeds: Readonly<Record<string, Tensor>>): ReadonlyMap<string, Tensor> {
  const values = new Map<number, Tensor>();
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    const fed = isOpNode(node) || node.op === 'constant' ? undefined : feeds[nameOf(node)];
    if (fed !== undefined) values.set(id, fed);
    else if (isValueNode(node)) values.set(id, node.value);
    else if (isOpNode(node))
      values.set(
        id,
        evaluateOp(
          findOp(node.op)!,
          node.inputs.map((input) => values.get(input)!),
          node.params,
        ),
      );
  }
  return new Map(graph.outputs.map(({ name, id }) => [name, values.get(id)!]));
}
