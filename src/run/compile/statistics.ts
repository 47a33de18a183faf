/**
 * @file What a compilation saved, in figures.
 */
import { eliminateDeadNodes, type PassReport } from '../../passes/index.js';
import { speedupOf, type GraphCost } from '../../passes/graph-cost.js';
import type { FusionCostModel } from '../../plan/fusionCosts.js';
import type { CompileStatistics } from '../compiled.js';
import { isFusing } from './passes.js';

interface Found {
  /** Nodes, and what a run costs, before and after. */
  readonly nodes: readonly [before: number, after: number];
  readonly costs: readonly [before: GraphCost | undefined, after: GraphCost | undefined];
  /** By which they were found. */
  readonly model: FusionCostModel;
  readonly reports: readonly PassReport[];
  readonly timeMs: number;
  readonly memoryBytes: number | undefined;
}

export function statisticsOf({
  nodes: [before, after],
  costs: [slow, fast],
  model,
  reports,
  timeMs,
  memoryBytes,
}: Found): CompileStatistics {
  const rewrites = (of: (report: PassReport) => boolean) => reports.filter(of).flatMap((report) => report.rewrites);
  return Object.freeze({
    nodesBefore: before,
    nodesAfter: after,
    reductionPercentage: reductionOf({ nodesBefore: before, nodesAfter: after }),
    fusionsApplied: rewrites(({ pass }) => isFusing({ name: pass })).length,
    deadNodesEliminated: rewrites(({ pass }) => pass === eliminateDeadNodes.name).reduce((sum, { from }) => sum + from.length, 0),
    flopsBefore: slow?.flops,
    flopsAfter: fast?.flops,
    bytesBefore: slow?.bytes,
    bytesAfter: fast?.bytes,
    estimatedSpeedup: slow === undefined || fast === undefined ? undefined : speedupOf(slow, fast, model),
    timeMs,
    memoryBytes,
  });
}

/** In percent; less than 0 where passes made more nodes than they took. */
export const reductionOf = ({ nodesBefore, nodesAfter }: Pick<CompileStatistics, 'nodesBefore' | 'nodesAfter'>): number =>
  nodesBefore === 0 ? 0 : (100 * (nodesBefore - nodesAfter)) / nodesBefore;
