/**
 * @file What it costs to run a kernel, and what it would cost elsewhere: weights for what `nodeCost` counts.
 */
import { fault } from '../errors/index.js';
import { isElementwise } from '../ops/fusedSteps.js';
import type { AnyOp } from '../ops/op.js';
import type { NodeCost } from './cost.js';

/** What a kernel mostly does: a step for each element, a fold, a sum of products, or to move elements about. */
export type WorkKind = 'elementwise' | 'fold' | 'contraction' | 'movement';

/**
 * Weights of what kernels do, all in one unit: accesses by default, nanoseconds where `calibrate` measured them.
 */
export interface FusionCostModel {
  /** To read or write four bytes: an element of float32. */
  readonly memoryAccess: number;
  /** One scalar operation. */
  readonly compute: number;
  /** One scalar operation of kernels of a kind, where it is known apart. */
  readonly computeOf?: Readonly<Partial<Record<WorkKind, number>>>;
  /** To start one kernel. */
  readonly launch: number;
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
  const { memoryAccess, compute, launch, bandwidth, computeOf = {} } = costs;
  for (const [name, weight] of Object.entries({ memoryAccess, compute, launch, bandwidth, ...computeOf }))
    if (typeof weight !== 'number' || !(weight >= 0 && weight < Infinity) || (name === 'bandwidth' && weight === 0))
      throw fault('E_ARGUMENT', { place: `costs.${name}`, rule: 'a weight is a finite number, not negative; bandwidth is not 0', actual: String(weight) }); // prettier-ignore
  return costs;
}

/** What the kernel of an op mostly does. */
export function workKind(op: AnyOp): WorkKind {
  if (op.contract !== undefined) return 'contraction';
  if (op.fold !== undefined) return 'fold';
  return isElementwise(op) ? 'elementwise' : 'movement';
}

/** What operations of a kernel cost. */
export const computing = ({ compute }: NodeCost, op: AnyOp, costs: FusionCostModel): number =>
  compute * (costs.computeOf?.[workKind(op)] ?? costs.compute);

/** What it costs to move bytes. */
export const moving = (bytes: number, { memoryAccess }: FusionCostModel): number => (bytes / ACCESS_BYTES) * memoryAccess;
