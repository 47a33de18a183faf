/**
 * @file The phases of a run and the hooks that hear of them.
 */
import type { OpNode } from '../graph/graph.js';

/**
 * Where a run stands. Each run begins with GraphLoad and Preparing. Execution: at least one feed is on its way; Waiting: none is,
 * but the source may bring more; the two take turns. It ends once, in Complete, Failed or Cancelled (unsubscribed before its end).
 */
export type ExecutionPhase = 'GraphLoad' | 'Preparing' | 'Execution' | 'Waiting' | 'Complete' | 'Failed' | 'Cancelled';

const RANK: Readonly<Record<ExecutionPhase, number>> = {
  GraphLoad: 0,
  Preparing: 1,
  Execution: 2,
  Waiting: 2,
  Complete: 3,
  Failed: 3,
  Cancelled: 3,
};

export const PHASES = Object.keys(RANK) as readonly ExecutionPhase[];

/** True for the phases in which a run ends. */
export const isTerminal = (phase: ExecutionPhase | undefined): boolean => phase !== undefined && RANK[phase] === 3;

/** True when a run in phase `from` (undefined before it begins) may enter `to`. */
export const mayFollow = (from: ExecutionPhase | undefined, to: ExecutionPhase): boolean =>
  from === undefined ? to === 'GraphLoad' : RANK[from] < RANK[to] || (RANK[from] === 2 && RANK[to] === 2 && from !== to);

/** A run as it stands at the moment of reading. */
export interface ExecutionState {
  /** Counts the runs of a context from 1; 0 before the first. */
  readonly run: number;
  /** Undefined before the first run. */
  readonly phase: ExecutionPhase | undefined;
  /** From 0 to 1, never falling; 1 exactly when Complete. */
  readonly progress: number;
  /** Feeds answered so far. */
  readonly frames: number;
  /** Why the run failed, or what a hook threw when it was told of the end. */
  readonly error: unknown;
}

/**
 * Callbacks of a run; all are optional. `state` is that of the run that they are told of.
 *
 * A callback that throws ends that run's subscription with E_CONSUMER; other runs, and other hooks, are not affected.
 */
export interface ExecutionHook {
  onPhaseChange?(phase: ExecutionPhase, state: ExecutionState): void;
  /** Before a node's step; `frame` counts the feeds of the run from 0. A hook with node events makes a run slower. */
  onNodeStart?(node: OpNode, frame: number, state: ExecutionState): void;
  onNodeComplete?(node: OpNode, frame: number, state: ExecutionState): void;
  onError?(error: unknown, state: ExecutionState): void;
  onComplete?(state: ExecutionState): void;
}

/** True when the hook wants to hear of single nodes. */
export const wantsNodes = ({ onNodeStart, onNodeComplete }: ExecutionHook): boolean =>
  onNodeStart !== undefined || onNodeComplete !== undefined;
