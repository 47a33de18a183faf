/**
 * @file How much of a graph's values is read against the order in which it lies: the measure that layout choice goes by.
 */
import { findNode, isOpNode, nodesOf, type Graph, type NodeId, type OpNode } from '../../src/graph/graph.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { knownOp } from '../../src/ops/known.js';
import type { Shape } from '../../src/tensor/shape.js';
import { numElements } from '../../src/tensor/shape.js';

/** Reads by all nodes of elements whose neighbours in memory are read at another time; outputs and kept values are as good as read twice. */
export function againstOrder(graph: Graph, kept: readonly NodeId[] = []): number {
  const types = inferTypes(graph);
  const shapeOf = (id: NodeId): Shape => types[id]!.dims as Shape;
  const opOf = (id: NodeId): OpNode | undefined => {
    const node = findNode(graph, id)!;
    return isOpNode(node) ? node : undefined;
  };

  /** A value as it lies, and its axes as those of it, through all transposes. */
  function axesOf(id: NodeId): readonly number[] {
    let axes = shapeOf(id).map((_, axis) => axis);
    for (let at = opOf(id); at?.op === 'transpose'; at = opOf(at.inputs[0])) {
      const { perm } = at.params as { readonly perm?: readonly number[] };
      axes = axes.map((axis) => perm?.[axis] ?? axes.length - 1 - axis);
    }
    return axes;
  }

  function cost(id: NodeId): number {
    const shape = shapeOf(id);
    const axes = axesOf(id).filter((_, axis) => shape[axis] !== 1);
    return axes.every((axis) => axis <= axes.at(-1)!) ? 0 : numElements(shape);
  }

  /** Runs over the operands: none of a contraction, which packs them, as many as a fold has terms and results of each element. */
  function runs({ op: name, params, inputs }: OpNode): number {
    const op = knownOp(name)!;
    if (op.contract !== undefined || name === 'transpose') return 0;
    const rule = op.fold?.(
      params,
      inputs.map(shapeOf),
      inputs.map((id) => types[id]!.dtype!),
    );
    return rule === undefined ? 1 : rule.folds.length + (rule.emits === 'element' ? 1 : 0);
  }

  let total = 0;
  for (const node of nodesOf(graph)) if (isOpNode(node)) for (const id of new Set(node.inputs)) total += runs(node) * cost(id);
  for (const id of new Set([...kept, ...graph.outputs.map((output) => output.id)])) total += 2 * cost(id);
  return total;
}
