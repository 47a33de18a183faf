/**
 * @file Runs the passes that join kernels, each once, within limits; whoever asks decides which groups are joined.
 */
import { findNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import { consumers } from '../../graph/topology.js';
import { mergeEinsums } from '../einsum/merge-einsums.js';
import { fuseElementwise } from '../fuse-elementwise.js';
import { fuseEpilogues } from '../fuse-epilogues.js';
import { fuseFolds } from '../fuse-folds.js';
import { applyPass, type Pass, type PassReport } from '../pass.js';
import type { ReadConfig } from './config.js';
import { addGroups, executionOrder, expand, type Groups } from './groups.js';
import { depthOf } from './opportunity.js';

/** Merged contractions are summed in another order, so that the last places of their results may differ. */
const EXACT: readonly Pass[] = [fuseFolds, fuseElementwise, fuseEpilogues];
const ALL: readonly Pass[] = [mergeEinsums, ...EXACT];

export interface Joined {
  readonly graph: Graph;
  /** Of passes that joined something. */
  readonly reports: readonly PassReport[];
  /** Ids of the graph that was given, each group in order of execution; groups in order of their last nodes. */
  readonly groups: readonly (readonly NodeId[])[];
}

/** @param joins asked for each group before it is joined, in order of execution, with the node that it becomes where that is known */
export function joinGroups(
  graph: Graph,
  {
    maxSize,
    maxDepth,
    maxOperands,
    keep,
    strategy,
  }: Pick<ReadConfig, 'maxSize' | 'maxDepth' | 'maxOperands' | 'strategy'> & { readonly keep: readonly NodeId[] },
  joins: (group: readonly NodeId[], joined?: OpNode) => boolean,
): Joined {
  const groups: Groups = new Map();
  const reports: PassReport[] = [];
  const inOrder = executionOrder(graph);
  const isClosed = closedGroups(graph, keep);
  // A pass that says what a group becomes knows no limits of its own, and takes in views that others read too.
  const isWithin = (group: readonly NodeId[]): boolean =>
    group.length <= maxSize && depthOf(group.map((id) => findNode(graph, id) as OpNode)) <= maxDepth && isClosed(group);
  let current = graph;
  for (const pass of strategy === 'aggressive' ? ALL : EXACT) {
    const context = {
      keep,
      maxFusedNodes: maxSize,
      maxFusedDepth: maxDepth,
      maxFusedOperands: maxOperands,
      joins(nodes: readonly NodeId[], joined?: OpNode) {
        const group = inOrder(expand(groups, nodes));
        return (joined === undefined || (joined.inputs.length <= maxOperands && isWithin(group))) && joins(group, joined);
      },
    };
    const { graph: next, report } = applyPass(current, pass, context);
    if (report.patches.length === 0) continue;
    current = next;
    reports.push(report);
    addGroups(groups, report);
  }
  const roots = inOrder([...groups.keys()]);
  return { graph: current, reports, groups: roots.map((root) => inOrder(groups.get(root)!)) };
}

/** Tells whether all values of a group but its last are read in it alone. */
function closedGroups(graph: Graph, keep: readonly NodeId[]): (group: readonly NodeId[]) => boolean {
  const { starts, targets } = consumers(graph);
  const visible = new Set([...graph.outputs.map(({ id }) => id), ...keep]);
  return (group) => {
    const inside = new Set(group);
    const isInner = (id: NodeId): boolean => !visible.has(id) && targets.subarray(starts[id], starts[id + 1]).every((reader) => inside.has(reader)); // prettier-ignore
    return group.slice(0, -1).every(isInner);
  };
}
