/**
 * @file A graph on one feed, node by node: between two nodes a run can be stopped.
 */
import type { Backend } from '../../../backends/index.js';
import type { Graph } from '../../../graph/graph.js';
import { frames, readFeeds } from '../../../run/admit.js';
import { copiedOutputs } from '../../../run/emit.js';
import type { Feeds, Outputs } from '../../../run/index.js';
import { readSettings } from '../../../run/options.js';
import { preparedFor } from '../../../run/run.js';
import { nodeError } from '../../../run/step.js';
import { budget } from './budget.js';

export interface Means {
  readonly backend?: Backend;
  /** Most bytes that the tensors of one run may take; 0 is any number. */
  readonly tensorBytes: number;
}

/** Undefined when it was stopped. */
export type Compute = (feeds: Feeds, isStopped: () => boolean) => Promise<Outputs | undefined>;

/** @throws EinstreamError the first fault of a broken graph */
export function computing(graph: Graph, { backend, tensorBytes }: Means): Compute {
  const prepared = preparedFor(graph, { backend }, readSettings({}), false);
  const frameOf = frames(prepared);
  const requireBudget = tensorBytes > 0 ? budget(prepared, tensorBytes) : undefined;
  return async (feeds, isStopped) => {
    requireBudget?.(readFeeds(prepared, feeds));
    const frame = frameOf(feeds);
    try {
      for (const [at, node] of frame.program.prepared.nodes.entries()) {
        if (isStopped()) return undefined;
        try {
          const done = frame.program.actions[at](frame);
          if (done !== undefined) await done;
        } catch (error) {
          throw nodeError(node, error);
        }
      }
      return copiedOutputs(frame);
    } finally {
      frame.program.arenas.giveBack(frame.lease);
    }
  };
}
