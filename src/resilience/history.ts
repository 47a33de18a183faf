/**
 * @file What has happened to one feed: failed attempts, nodes without values of their own, checkpoints.
 */
import type { SchedulerLike } from 'rxjs';
import { EinstreamError } from '../errors/index.js';
import { nameOf, type NodeId, type OpNode } from '../graph/index.js';
import type { Frame } from '../run/index.js';
import type { Tensor } from '../tensor/index.js';
import type { Settled } from './config.js';
import type { FailureInfo, LostNode, RecoveryStats } from './result.js';

export interface History {
  readonly failures: readonly FailureInfo[];
  readonly lost: ReadonlyMap<NodeId, LostNode>;
  readonly substituted: readonly LostNode[];
  /** Outputs that a lost node would have given. */
  readonly lostKeys: ReadonlySet<string>;
  /** Values that a checkpoint holds. */
  readonly saved: ReadonlyMap<NodeId, Tensor>;
  stats(): RecoveryStats;
  /** Whether the failure that ends all is a node's, and noted: the guard around middleware may have given it the node's place. */
  has(error: unknown): boolean;
  /** Notes a failed attempt; true when the feed has had more of them than it may. */
  failed(error: unknown, attempt: number, node?: OpNode): boolean;
  tooMany(): boolean;
  retried(): void;
  lose(frame: Frame, node: OpNode, reason: LostNode['reason']): void;
  replace(node: OpNode): void;
  /** Notes the value of a finished node, which the next checkpoint saves. */
  finished(id: NodeId, value: Tensor): void;
  /** A new attempt at the whole: what is not in a checkpoint is gone. */
  restart(): void;
}

export function history({ maxFailures, checkpointEvery }: Settled, scheduler: SchedulerLike): History {
  const start = scheduler.now();
  const failures: FailureInfo[] = [];
  const lost = new Map<NodeId, LostNode>();
  const substituted: LostNode[] = [];
  const lostKeys = new Set<string>();
  const saved = new Map<NodeId, Tensor>();
  let pending: [NodeId, Tensor][] = [];
  let [retries, checkpoints] = [0, 0];
  return {
    failures,
    lost,
    substituted,
    lostKeys,
    saved,
    has(error) {
      const last = failures.at(-1);
      return last !== undefined && (last.error === error || (error instanceof Error && error.cause === last.error));
    },
    stats: () => ({ retries, checkpoints, executionMs: scheduler.now() - start }),
    failed(error, attempt, node) {
      const nodeId = node?.id ?? (error instanceof EinstreamError ? error.nodeId : undefined);
      const name = node === undefined ? undefined : nameOf(node);
      failures.push({ nodeId, node: name, attempt, error, atMs: scheduler.now() - start });
      return failures.length > maxFailures;
    },
    tooMany: () => failures.length > maxFailures,
    retried: () => void retries++,
    lose({ program: { prepared } }, node, reason) {
      lost.set(node.id, { nodeId: node.id, node: nameOf(node), reason });
      for (const { key, slot } of prepared.outputs) if (slot === prepared.slots[node.id]) lostKeys.add(key);
    },
    replace: (node) => void substituted.push({ nodeId: node.id, node: nameOf(node), reason: 'failed' }),
    finished(id, value) {
      pending.push([id, value]);
      if (pending.length < checkpointEvery) return;
      for (const [each, kept] of pending) saved.set(each, kept);
      pending = [];
      checkpoints++;
    },
    restart: () => void (pending = []),
  };
}
