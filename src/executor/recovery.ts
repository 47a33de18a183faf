/**
 * @file Recovery and checkpoints under the seed's names: `runWithRecovery` and `checkpoints`.
 */
import type { Graph, Names } from '../graph/graph.js';
import { runWithRecovery, type RecoveryConfig, type RecoveryResult } from '../resilience/index.js';
import { cancellable, type Cancellable } from '../run/cancellable.js';
import type { Feeds, RunOptions } from '../run/index.js';
import { checkpoints, type Checkpoint, type CheckpointOptions, type CheckpointStore } from '../stream/index.js';

/** What goes on where others stop. */
export interface RecoveryMethods {
  /** Retries, falls back and degrades as `config` says; a failure is a result, too. See `runWithRecovery`. */
  executeWithRecovery<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    feeds: Feeds<I>,
    config?: RecoveryConfig,
    options?: { readonly signal?: AbortSignal },
  ): Cancellable<RecoveryResult<O>>;
  /**
   * Keeps what the program needs to go on, and gives its id. An executor has no state of its own, and its place is a store:
   * `memoryStore()`, or `directoryStore(path)` of `einstream/node`. See `checkpoints`.
   */
  saveCheckpoint(store: CheckpointStore, checkpoint: Checkpoint, options?: CheckpointOptions): Promise<string>;
  /** The newest that is whole, or undefined where there is none. See `checkpoints`. */
  loadCheckpoint(store: CheckpointStore, options?: CheckpointOptions): Promise<Checkpoint | undefined>;
}

export const recoveryMethods = (settings: RunOptions): RecoveryMethods => ({
  executeWithRecovery(graph, feeds, config, { signal } = {}) {
    const result$ = runWithRecovery(graph, feeds, config, settings);
    return cancellable((done, fail) => {
      const running = result$.subscribe({ next: done, error: fail });
      return (reason) => {
        running.unsubscribe();
        fail(reason);
      };
    }, signal);
  },
  saveCheckpoint: (store, checkpoint, options) => checkpoints(store, options).save(checkpoint),
  loadCheckpoint: (store, options) =>
    checkpoints(store, options)
      .latest()
      .then((saved) => saved?.checkpoint),
});
