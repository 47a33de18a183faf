/**
 * @file What a schedule is.
 */
import type { Dims } from '../../ops/dims.js';
import type { NodeId } from '../../graph/graph.js';

/** By what the order of nodes is chosen. */
export type SchedulingStrategy = 'sequential' | 'parallel' | 'costBased' | 'minimizeMemory' | 'balanced';

/** How to schedule. */
export interface ScheduleOptions {
  /**
   * `'sequential'` (default): one after another. `'parallel'`: all that are ready, level by level. `'costBased'`: dear nodes side by side, those on
   * the longest way first, cheap ones alone. `'balanced'`: levels, with what can wait where least is to do. `'minimizeMemory'`: one after another, so that
   * little is held.
   */
  readonly strategy?: SchedulingStrategy;
  /** Shapes of inputs by name, where the graph leaves them open. */
  readonly shapes?: Readonly<Record<string, Dims>>;
  /** `'costBased'`: operations from which on a node is dear; 1,000 by default. */
  readonly costThreshold?: number;
  /** How many nodes run side by side; 4 by default. An integer ≥ 1. */
  readonly workers?: number;
}

/** The longest chain of nodes that wait for one another: no number of workers is quicker. */
export interface CriticalPath {
  readonly nodes: readonly NodeId[];
  /** Scalar operations. */
  readonly cost: number;
}

/** An order of execution. */
export interface Schedule {
  readonly strategy: SchedulingStrategy;
  /** The nodes that compute, operands first. */
  readonly nodeOrder: readonly NodeId[];
  /** The same nodes: those of a group wait for earlier groups alone, and may run side by side. */
  readonly parallelGroups: readonly (readonly NodeId[])[];
  /** Scalar operations, one group after another, where its nodes share the workers. */
  readonly estimatedCost: number;
  readonly criticalPath: CriticalPath;
  /** Bytes of computed values held at the worst moment of `nodeOrder`, outputs included. */
  readonly peakBytes: number;
}
