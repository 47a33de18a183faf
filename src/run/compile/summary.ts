/**
 * @file A compilation in a few lines of text.
 */
import { humanBytes, humanMs } from '../../errors/index.js';
import type { CompiledGraph } from '../compiled.js';

type Summarised = Pick<CompiledGraph, 'level' | 'reports' | 'statistics'>;

export function summaryOf({ level, reports, statistics }: Summarised): string {
  const { nodesBefore, nodesAfter, reductionPercentage, fusionsApplied, deadNodesEliminated, timeMs } = statistics;
  const { flopsBefore, flopsAfter, bytesBefore, bytesAfter, estimatedSpeedup, memoryBytes } = statistics;
  const lines = [
    `level ${level}: ${nodesBefore} nodes become ${nodesAfter} (−${Number(reductionPercentage.toFixed(1))} %) in ${humanMs(timeMs)}`,
    `${counted(fusionsApplied, 'group')} fused, ${counted(deadNodesEliminated, 'dead node')} left out`,
    ...(flopsBefore === undefined ? [] : [`operations ${flopsBefore} → ${flopsAfter}`]),
    ...(bytesBefore === undefined ? [] : [`memory traffic ${humanBytes(bytesBefore)} → ${humanBytes(bytesAfter!)}`]),
    ...(estimatedSpeedup === undefined ? [] : [`estimated speed-up ${estimatedSpeedup.toFixed(2)} ×`]),
    ...(memoryBytes === undefined ? [] : [`a frame holds ${humanBytes(memoryBytes)}`]),
    ...reports
      .filter(({ rewrites }) => rewrites.length > 0)
      .map(({ pass, rewrites }) => `${pass}: ${counted(rewrites.length, 'rewrite')}`),
  ];
  return lines.join('\n');
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
