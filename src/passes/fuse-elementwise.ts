/**
 * @file Joins elementwise ops with their only consumer, if that is elementwise too, into one `fused` node.
 *
 * Every step keeps its own rounding (`ops/fused.ts`), so no bit changes. A producer that is known to be smaller
 * than its consumer stays apart: fused, it would be computed again for every repeated element.
 */
import { isOpNode, findNode, type Graph, type Node, type NodeId, type OpNode } from '../graph/graph.js';
import { consumers, topology } from '../graph/topology.js';
import { inferTypes } from '../graph/shapes.js';
import { fused, isElementwise, type FusedStep } from '../ops/fused.js';
import type { Params } from '../ops/op.js';
import { knownOp } from '../ops/known.js';
import { chainLengths } from './chain-lengths.js';
import { replaceNodes } from './edit.js';
import { operandCounts } from './operand-counts.js';
import type { Pass, PassContext, Rewrite } from './pass.js';
import { sharedSteps } from './shared-steps.js';
import { isSmaller } from './smaller.js';

/** For each node, 1 where it is one that may join a group. */
function fusible(graph: Graph): Uint8Array {
  const marks = new Uint8Array(graph.size);
  for (const chunk of graph.chunks)
    for (const node of chunk)
      if (node !== undefined && isOpNode(node) && node.op !== fused.definition.name && isElementwise(knownOp(node.op)))
        marks[node.id] = 1;
  return marks;
}

/** For each node, the id of the last node of its group, itself where it stays alone. */
function groups(
  graph: Graph,
  order: readonly NodeId[],
  isFusible: Uint8Array,
  { keep, maxFusedNodes, maxFusedOperands, maxFusedDepth }: PassContext,
): Int32Array {
  const fits = operandCounts(graph, maxFusedOperands);
  const chains = chainLengths(graph.size, maxFusedDepth);
  const { starts, targets } = consumers(graph);
  const types = inferTypes(graph);
  const visible = new Uint8Array(graph.size);
  for (const { id } of graph.outputs) visible[id] = 1;
  for (const id of keep) visible[id] = 1;
  const rootOf = new Int32Array(graph.size);
  for (let id = 0; id < rootOf.length; id++) rootOf[id] = id;
  const sizes = new Int32Array(graph.size).fill(1);
  // Consumers first: a node joins the group that its consumer already belongs to.
  for (let at = order.length - 1; at >= 0; at--) {
    const id = order[at];
    const [from, to] = [starts[id], starts[id + 1]];
    if (visible[id] === 1 || from === to || isFusible[id] === 0) continue;
    const root = rootOf[targets[from]];
    let joins = sizes[root] < maxFusedNodes;
    // Several readers are one consumer if all of them ended up in the same group.
    for (let k = from; joins && k < to; k++) joins = rootOf[targets[k]] === root && isFusible[targets[k]] === 1;
    const readers = targets.subarray(from, to);
    if (!joins || isSmaller(types[id]?.dims, types[root]?.dims) || !chains.fits(readers) || !fits(id, root)) continue;
    chains.add(id, readers);
    rootOf[id] = root;
    sizes[root]++;
  }
  return rootOf;
}

/** One node for a group: operands from outside first, then a step for each member in order. */
function fuse(members: readonly OpNode[], shared: (steps: readonly FusedStep[]) => Params): OpNode {
  const inside = new Map(members.map((member, at) => [member.id, at]));
  const operands = new Map<NodeId, number>();
  for (const { inputs } of members)
    for (const id of inputs) if (!inside.has(id) && !operands.has(id)) operands.set(id, operands.size);
  const steps = members.map(({ op, params, inputs }): FusedStep => ({
    op,
    params,
    args: inputs.map((id) => operands.get(id) ?? operands.size + inside.get(id)!),
  }));
  const again = members.some(({ isRecomputed }) => isRecomputed === true) ? ({ isRecomputed: true } as const) : {};
  return { ...members.at(-1)!, ...again, op: fused.definition.name, inputs: [...operands.keys()], params: shared(steps) };
}

/**
 * Joins elementwise ops into one kernel. Cost: three walks of the graph. The last node of a group keeps its id and name; the others
 * leave holes.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(neg(exp(x))) }));
 * [...nodesOf(optimize(g, [fuseElementwise]).graph)].map(({ op }) => op) // => ['input', 'fused']
 * ```
 */
export const fuseElementwise: Pass = {
  name: 'fuseElementwise',
  rewrite(graph, edit, context) {
    const isFusible = fusible(graph);
    const { order } = topology(graph);
    const rootOf = groups(graph, order, isFusible, context);
    const members = new Map<NodeId, OpNode[]>();
    for (const id of order) {
      const root = rootOf[id];
      if (root === id) continue;
      const list = members.get(root);
      if (list === undefined) members.set(root, [findNode(graph, id) as OpNode]);
      else list.push(findNode(graph, id) as OpNode);
    }
    if (members.size === 0) return;
    const shared = sharedSteps();
    const changes = new Map<NodeId, Node | undefined>();
    const rewrites: Rewrite[] = [];
    for (const [root, list] of members) {
      if (context.joins?.([...list.map(({ id }) => id), root]) === false) continue;
      rewrites.push({ rule: 'read by this node alone', from: list.map(({ id }) => id), into: root });
      for (const { id } of list) changes.set(id, undefined);
      changes.set(root, fuse([...list, findNode(graph, root) as OpNode], shared));
    }
    if (changes.size > 0) edit((draft) => replaceNodes(draft, graph, changes), rewrites);
  },
};
