/**
 * @file What it costs to run a kernel, and what it would cost elsewhere: weights for what `nodeCost` counts.
 */
import { fault } from '../errors/index.js';
import type { NodeWork } from './cost.js';
import type { Operations, WorkKind } from './operations.js';

export type { WorkKind } from './operations.js';

/**
 * Weights of what kernels do, all in one unit: accesses by default, nanoseconds where `calibrate` measured them.
 */
export interface FusionCostModel {
  /** To read or write four bytes: an element of float32. */
  readonly memoryAccess: number;
  /** The same where all that a kernel reads and writes is no more than `cacheBytes`; as `memoryAccess` where it is not known apart. */
  readonly cacheAccess?: number;
  /** Bytes that stay near the processor from one kernel to the next; none by default. */
  readonly cacheBytes?: number;
  /** One scalar operation. */
  readonly compute: number;
  /** One scalar operation of a kind, where it is known apart; divisions and functions cost what `elementwise` does unless they are. */
  readonly computeOf?: Readonly<Partial<Record<WorkKind, number>>>;
  /** To start one kernel. */
  readonly launch: number;
  /** To take in a frame and to hand out its outputs, whatever it computes; nothing by default. */
  readonly frame?: number;
  /** Bytes a second. */
  readonly bandwidth: number;
}

/**
 * The weights that are taken where nobody measured any.
 *
 * ```ts
 * FUSION_COSTS // => { memoryAccess: 1, compute: 0.1, launch: 10, bandwidth: 1e11 }
 * ```
 */
export const FUSION_COSTS: FusionCostModel = Object.freeze({ memoryAccess: 1, compute: 0.1, launch: 10, bandwidth: 1e11 });

/** Bytes of one access. */
export const ACCESS_BYTES = 4;

/** @throws EinstreamError E_ARGUMENT for weights that are no numbers, or negative */
export function readCosts(costs: FusionCostModel): FusionCostModel {
  const { memoryAccess, compute, launch, bandwidth, computeOf = {}, cacheAccess = 0, cacheBytes = 0, frame = 0 } = costs;
  for (const [name, weight] of Object.entries({ memoryAccess, compute, launch, bandwidth, cacheAccess, cacheBytes, frame, ...computeOf }))
    if (typeof weight !== 'number' || !(weight >= 0 && weight < Infinity) || (name === 'bandwidth' && weight === 0))
      throw fault('E_ARGUMENT', { place: `costs.${name}`, rule: 'a weight is a finite number, not negative; bandwidth is not 0', actual: String(weight) }); // prettier-ignore
  return costs;
}

/** What operations cost. */
export function computing(operations: Operations, { compute, computeOf = {} }: FusionCostModel): number {
  const { elementwise = compute } = computeOf;
  const weights = { elementwise, division: elementwise, function: elementwise, fold: compute, contraction: compute, movement: compute, ...computeOf }; // prettier-ignore
  return Object.entries(operations).reduce((sum, [kind, count]) => sum + count * weights[kind as WorkKind], 0);
}

/** What it costs one kernel to move bytes. */
export function moving(bytes: number, { memoryAccess, cacheAccess = memoryAccess, cacheBytes = 0 }: FusionCostModel): number {
  return (bytes / ACCESS_BYTES) * (bytes <= cacheBytes ? cacheAccess : memoryAccess);
}

/** What one kernel costs. */
export const kernelTime = ({ operations, memory }: NodeWork, costs: FusionCostModel): number =>
  costs.launch + computing(operations, costs) + moving(memory, costs);
