/**
 * @file The first rewrite of a compilation for given sizes: inputs declare them, so that all that follows may rely on them.
 */
import { bindInputs, findNode, type Graph, type Node, type NodeId } from '../../graph/index.js';
import { givenShapes } from '../../graph/shapes.js';
import type { Dims } from '../../ops/dims.js';
import type { Pass } from '../../passes/index.js';
import { replaceNodes } from '../../passes/edit.js';

/** A symbol that one input's shape gives a size has it in all of them. */
export const specializeInputs = (shapes: Readonly<Record<string, Dims>>): Pass => ({
  name: 'specializeInputs',
  rewrite(graph, edit) {
    const changes = specialised(graph, shapes);
    if (changes.size === 0) return;
    const from = [...changes.keys()];
    edit(
      (draft) => replaceNodes(draft, graph, changes),
      from.map((id) => ({ rule: 'of the sizes that it is compiled for', from: [id], into: id })),
    );
  },
});

function specialised(graph: Graph, shapes: Readonly<Record<string, Dims>>): ReadonlyMap<NodeId, Node> {
  const changes = new Map<NodeId, Node>();
  for (const [id, { dims }] of bindInputs(graph, givenShapes(graph, shapes))) {
    const node = findNode(graph, id)!;
    if (node.op !== 'input' || dims === undefined) continue;
    const { dims: declared } = node as { readonly dims?: Dims };
    if (declared === undefined || declared.some((dim, axis) => dim !== dims[axis]))
      changes.set(id, { ...node, dims: Object.freeze([...dims]) } as Node);
  }
  return changes;
}
