/**
 * @file Runs the passes that join kernels, each once, within limits; whoever asks decides which groups are joined.
 */
import type { Graph, NodeId } from '../../graph/graph.js';
import { fuseElementwise } from '../fuse-elementwise.js';
import { fuseEpilogues } from '../fuse-epilogues.js';
import { fuseFolds } from '../fuse-folds.js';
import { applyPass, type Pass, type PassReport } from '../pass.js';
import { addGroups, executionOrder, expand, type Groups } from './groups.js';

const PASSES: readonly Pass[] = [fuseFolds, fuseElementwise, fuseEpilogues];

export interface Joined {
  readonly graph: Graph;
  /** Of passes that joined something. */
  readonly reports: readonly PassReport[];
  /** Ids of the graph that was given, each group in order of execution; groups in order of their last nodes. */
  readonly groups: readonly (readonly NodeId[])[];
}

/** @param joins asked for each group before it is joined, in order of execution */
export function joinGroups(
  graph: Graph,
  { maxSize, maxDepth, keep }: { readonly maxSize: number; readonly maxDepth: number; readonly keep: readonly NodeId[] },
  joins: (group: readonly NodeId[]) => boolean,
): Joined {
  const groups: Groups = new Map();
  const reports: PassReport[] = [];
  const inOrder = executionOrder(graph);
  let current = graph;
  for (const pass of PASSES) {
    const context = {
      keep,
      maxFusedNodes: maxSize,
      maxFusedDepth: maxDepth,
      joins: (nodes: readonly NodeId[]) => joins(inOrder(expand(groups, nodes))),
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
