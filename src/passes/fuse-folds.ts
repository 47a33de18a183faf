/**
 * @file Joins reductions with the elementwise ops before, between and behind them into one `fusedFold` node: sums of squares,
 * variance, softmax and layer norm written out, and their gradients.
 *
 * Every step keeps its own rounding (`ops/fusedFold.ts`), so no bit changes. Values that a group's readers see are those of
 * one node; all its folds run over the same axes of one shape. What is computed again, and what not, says `folds/join.ts`.
 */
import { isOpNode, nodesOf, type Node, type NodeId, type OpNode } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { topology } from '../graph/topology.js';
import { fusedFold } from '../ops/fusedFold.js';
import { isFold, type FusedStep } from '../ops/fusedSteps.js';
import type { Params } from '../ops/op.js';
import { knownOp } from '../ops/known.js';
import { replaceNodes } from './edit.js';
import { foldGroups, type FoldGroup } from './folds/groups.js';
import type { Pass, Rewrite } from './pass.js';
import { sharedSteps } from './shared-steps.js';

/**
 * One node for a group: operands from outside first, then a step for each member in order. What is read beside the space and
 * within it is there twice, as it is walked differently.
 */
function fuse({ members, isBeside }: FoldGroup, shared: (steps: readonly FusedStep[]) => Params): OpNode {
  const inside = new Map(members.map(({ id }, at) => [id, at]));
  const inputs: NodeId[] = [];
  const [within, beside] = [new Map<NodeId, number>(), new Map<NodeId, number>()];
  const placesFor = ({ id, op }: OpNode): Map<NodeId, number> => (isBeside(id) && !isFold(knownOp(op)) ? beside : within);
  for (const member of members)
    for (const id of member.inputs)
      if (!inside.has(id) && !placesFor(member).has(id)) placesFor(member).set(id, inputs.push(id) - 1);
  const steps = members.map((member): FusedStep => ({
    op: member.op,
    params: member.params,
    args: member.inputs.map((id) => placesFor(member).get(id) ?? inputs.length + inside.get(id)!),
  }));
  const again = members.some(({ isRecomputed }) => isRecomputed === true) ? ({ isRecomputed: true } as const) : {};
  return { ...members.at(-1)!, ...again, op: fusedFold.definition.name, inputs, params: shared(steps) };
}

/** Cost: a few walks of the graph. The last node of a group keeps its id and name; the others leave holes. */
export const fuseFolds: Pass = {
  name: 'fuseFolds',
  rewrite(graph, edit, context) {
    let hasFold = false;
    for (const node of nodesOf(graph)) hasFold ||= isOpNode(node) && isFold(knownOp(node.op));
    if (!hasFold) return;
    const groups = foldGroups(graph, topology(graph).order, inferTypes(graph), context).filter(
      ({ members }) => context.joins?.(members.map(({ id }) => id)) !== false,
    );
    if (groups.length === 0) return;
    const shared = sharedSteps();
    const changes = new Map<NodeId, Node | undefined>();
    const rewrites: Rewrite[] = [];
    for (const group of groups) {
      const ids = group.members.map(({ id }) => id);
      rewrites.push({ rule: 'over the same rows, read by this node alone', from: ids.slice(0, -1), into: ids.at(-1)! });
      for (const id of ids) changes.set(id, undefined);
      changes.set(ids.at(-1)!, fuse(group, shared));
    }
    edit((draft) => replaceNodes(draft, graph, changes), rewrites);
  },
};
