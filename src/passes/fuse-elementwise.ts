/**
 * @file Joins elementwise ops with their only consumer, if that is elementwise too, into one `fused` node.
 *
 * Every step keeps its own rounding (`ops/fused.ts`), so no bit changes. A producer that is known to be smaller
 * than its consumer stays apart: fused, it would be computed again for every repeated element.
 */
import { isOpNode, findNode, type Graph, type Node, type NodeId, type OpNode } from '../graph/graph.js';
import { consumers, topology } from '../graph/topology.js';
import { inferTypes } from '../graph/shapes.js';
import type { Dims } from '../ops/dims.js';
import { fused, isElementwise, type FusedStep } from '../ops/fused.js';
import { findOp } from '../ops/registry.js';
import { replaceNodes } from './edit.js';
import type { Pass, PassContext } from './pass.js';

const isFusible = (node: Node | undefined): node is OpNode =>
  node !== undefined && isOpNode(node) && node.op !== 'fused' && isElementwise(findOp(node.op));

/** Known to repeat elements when it is read by the other. */
function isSmaller(producer: Dims | undefined, consumer: Dims | undefined): boolean {
  if (producer === undefined || consumer === undefined) return false;
  return producer.length < consumer.length || producer.some((dim, axis) => dim === 1 && consumer[axis] !== 1);
}

/** For each node, the id of the last node of its group, itself where it stays alone. */
function groups(graph: Graph, { keep, maxFusedNodes }: PassContext): Int32Array {
  const { order } = topology(graph);
  const { starts, targets } = consumers(graph);
  const types = inferTypes(graph);
  const visible = new Uint8Array(graph.size);
  for (const { id } of graph.outputs) visible[id] = 1;
  for (const id of keep) visible[id] = 1;
  const rootOf = new Int32Array(graph.size).map((_, id) => id);
  const sizes = new Int32Array(graph.size).fill(1);
  // Consumers first: a node joins the group that its consumer already belongs to.
  for (let at = order.length - 1; at >= 0; at--) {
    const id = order[at];
    const from = starts[id];
    if (visible[id] === 1 || from === starts[id + 1] || !isFusible(findNode(graph, id))) continue;
    const root = rootOf[targets[from]];
    let joins = isFusible(findNode(graph, targets[from])) && sizes[root] < maxFusedNodes;
    // Several readers are one consumer if all of them ended up in the same group.
    for (let k = from; joins && k < starts[id + 1]; k++)
      joins = rootOf[targets[k]] === root && isFusible(findNode(graph, targets[k]));
    if (!joins || isSmaller(types[id]?.dims, types[root]?.dims)) continue;
    rootOf[id] = root;
    sizes[root]++;
  }
  return rootOf;
}

/** One node for a group: operands from outside first, then a step for each member in order. */
function fuse(root: OpNode, members: readonly OpNode[]): OpNode {
  const inside = new Map(members.map((member, at) => [member.id, at]));
  const operands = [...new Set(members.flatMap((member) => member.inputs).filter((id) => !inside.has(id)))];
  const position = new Map(operands.map((id, at) => [id, at]));
  const steps: FusedStep[] = members.map(({ op, params, inputs }) => ({
    op,
    params,
    args: inputs.map((id) => position.get(id) ?? operands.length + inside.get(id)!),
  }));
  return { ...root, op: fused.definition.name, inputs: operands, params: Object.freeze({ steps }) };
}

export const fuseElementwise: Pass = {
  name: 'fuseElementwise',
  rewrite(graph, edit, context) {
    const rootOf = groups(graph, context);
    const members = new Map<NodeId, OpNode[]>();
    for (const id of topology(graph).order) {
      const root = rootOf[id];
      const node = findNode(graph, id)!;
      if (!isFusible(node)) continue;
      const list = members.get(root);
      if (list === undefined) members.set(root, [node]);
      else list.push(node);
    }
    const changes = new Map<NodeId, Node | undefined>();
    for (const [root, list] of members) {
      if (list.length < 2) continue;
      for (const { id } of list) changes.set(id, undefined);
      changes.set(root, fuse(findNode(graph, root) as OpNode, list));
    }
    if (changes.size > 0) edit((draft) => replaceNodes(draft, graph, changes));
  },
};
