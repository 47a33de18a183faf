/**
 * @file What recovering gives for each feed: outputs, some of them, or the failure with its history.
 */
import type { Names, NodeId } from '../graph/graph.js';
import type { Outputs } from '../run/index.js';

/** One failed attempt at one node. */
export interface FailureInfo {
  /** Undefined where the failure is not one node's: a feed that does not fit, a timeout of the whole. */
  readonly nodeId: NodeId | undefined;
  /** The node's name, or its op where it has none. */
  readonly node: string | undefined;
  /** From 1. */
  readonly attempt: number;
  readonly error: unknown;
  /** Milliseconds after the start. */
  readonly atMs: number;
}

/** What recovering has cost. */
export interface RecoveryStats {
  /** Attempts beyond the first, of nodes and of the whole. */
  readonly retries: number;
  /** Checkpoints that were taken. */
  readonly checkpoints: number;
  /** Milliseconds, waits included. */
  readonly executionMs: number;
}

/** A node without a value of its own. */
export interface LostNode {
  readonly nodeId: NodeId;
  readonly node: string;
  /** `'skipped'`: it needs the value of a node that has none. */
  readonly reason: 'failed' | 'skipped';
}

interface Common {
  readonly stats: RecoveryStats;
  /** Every failed attempt, in order. */
  readonly failures: readonly FailureInfo[];
}

/** Every output, by one path or the other. */
export interface RecoverySuccess<O extends Names = Names> extends Common {
  readonly kind: 'success';
  readonly outputs: Outputs<O>;
  /** Who computed it. */
  readonly path: 'primary' | 'fallback';
  /** Another path was taken, or a node has a substitute's value. */
  readonly degraded: boolean;
  /** Nodes whose values are substitutes. */
  readonly substituted: readonly LostNode[];
}

/** Some outputs, and the nodes that the others needed. */
export interface RecoveryPartialSuccess<O extends Names = Names> extends Common {
  readonly kind: 'partialSuccess';
  /** Those outputs that no failed node is needed for. */
  readonly outputs: Partial<Outputs<O>>;
  readonly failedNodes: readonly LostNode[];
}

/** No outputs, and the reason. */
export interface RecoveryFailure extends Common {
  readonly kind: 'failure';
  /** The last one. */
  readonly error: unknown;
}

/** Tell the three by `kind`. */
export type RecoveryResult<O extends Names = Names> = RecoverySuccess<O> | RecoveryPartialSuccess<O> | RecoveryFailure;
