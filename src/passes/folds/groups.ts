/**
 * @file Which nodes share one kernel with a fold: each joins the group that all its readers belong to, so that no path leaves a
 * group and comes back.
 */
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { isElementwise } from '../../ops/fused.js';
import { isFold, isGroup } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import { isComputed } from '../../tensor/dtype.js';
import type { PassContext } from '../pass.js';
import { growthOf, levelOf, openGroup, readersOf, type Group, type Growth } from './growth.js';
import { join } from './join.js';
import { spaceOf } from './space.js';

/** Several rounds put apart what turned out not to belong to its group; after so many, such groups stay as they were. */
const ROUNDS = 8;

/** A group in order of execution, and which of its members lie beside the space. */
export interface FoldGroup {
  readonly members: readonly OpNode[];
  readonly isBeside: (id: NodeId) => boolean;
}

export function foldGroups(
  graph: Graph,
  order: readonly NodeId[],
  types: readonly (ValueType | undefined)[],
  context: PassContext,
): readonly FoldGroup[] {
  const visible = new Set([...graph.outputs.map(({ id }) => id), ...context.keep]);
  for (let round = 1; ; round++) {
    const growth = growthOf(graph, types, context);
    const grown = grow(growth, order, visible).map((group) => inOrder(growth, group));
    const strangers = grown.map(({ members, group }) => strangersOf(growth, group, members));
    if (round === ROUNDS || strangers.every((each) => each.length === 0))
      return grown
        .filter(({ members, group }, at) => members.length > 1 && group.turns.length > 0 && strangers[at].length === 0)
        .map(({ members }) => ({ members, isBeside: (id) => levelOf(growth, id) === 'beside' }));
    for (const id of strangers.flat()) visible.add(id);
  }
}

function grow(growth: Growth, order: readonly NodeId[], visible: ReadonlySet<NodeId>): readonly Group[] {
  const groups: Group[] = [];
  for (let at = order.length - 1; at >= 0; at--) {
    const node = findNode(growth.graph, order[at])!;
    if (!isOpNode(node) || !isCandidate(growth, node)) continue;
    const space = spaceOf(node, growth.types);
    if (space === undefined && isFold(knownOp(node.op))) continue;
    const group = visible.has(node.id) ? undefined : groupReading(growth, node.id);
    if (group === undefined || !join(growth, group, node, space)) groups.push(openGroup(growth, node, space));
  }
  return groups.filter(({ space }) => space !== undefined);
}

function isCandidate({ types }: Growth, { op: name, inputs }: OpNode): boolean {
  const op = knownOp(name);
  if (isGroup(name) || !(isElementwise(op) || isFold(op))) return false;
  return inputs.every((id) => {
    const dtype = types[id]?.dtype;
    return dtype !== undefined && isComputed(dtype);
  });
}

/** The group that all readers belong to. */
function groupReading(growth: Growth, id: NodeId): Group | undefined {
  const [first, ...others] = readersOf(growth, id);
  const group = first === undefined ? undefined : growth.groupOf[first];
  return others.every((reader) => growth.groupOf[reader] === group) ? group : undefined;
}

const inOrder = ({ graph }: Growth, group: Group) => ({
  group,
  members: group.members.map((id) => findNode(graph, id) as OpNode).reverse(),
});

/** Values of each group that no fold gives: computed with the elements, they would be computed again for each of them. */
function strangersOf(growth: Growth, { level, root }: Group, members: readonly OpNode[]): readonly NodeId[] {
  if (level !== 'element') return [];
  const folded = new Set<NodeId>();
  const strangers = new Set<NodeId>();
  for (const { id, inputs } of members) {
    if (growth.folds.has(id) || inputs.some((input) => folded.has(input))) folded.add(id);
    else if (levelOf(growth, id) === 'aligned' && id !== root) strangers.add(id);
  }
  return [...strangers].filter((id) => readersOf(growth, id).some((reader) => !strangers.has(reader)));
}
