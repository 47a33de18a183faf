/**
 * @file A graph computed again and again, now, each time from values that the time before left in the backend's memory.
 */
import type { Graph, OpNode } from '../graph/graph.js';
import { frames } from './admit.js';
import { borrowedOutputs, copiedOutputs } from './emit.js';
import type { Feeds, Outputs } from './feeds.js';
import type { Frame } from './frame.js';
import { readSettings, type RunOptions } from './options.js';
import { preparedFor } from './run.js';
import { nodeError } from './step.js';

/** What one computation gave. */
export interface Computed {
  /** Copies, or lent until `giveBack`. */
  readonly outputs: Outputs;
  /** The same values where the backend has them, to feed on without a copy; until `giveBack`. */
  readonly resident: Outputs;
  readonly giveBack: () => void;
}

/** A function of feeds for one caller. It remembers the program of the feeds before. */
export function computing(graph: Graph, options: RunOptions): (feeds: Feeds) => Computed {
  const settings = readSettings(options);
  const prepared = preparedFor(graph, options, settings, false);
  const frameOf = frames(prepared, undefined, settings.onDiagnostic);
  return (feeds) => {
    const frame = frameOf(feeds);
    const { arenas, prepared: on } = frame.program;
    const end = (): void => arenas.giveBack(frame.lease);
    try {
      on.nodes.forEach((node, at) => act(frame, node, at));
      // A copy of an ordinary array is as good to feed on.
      const copies = on.borrows ? undefined : copiedOutputs(frame);
      if (copies !== undefined && on.backend.owns === undefined) {
        end();
        return { outputs: copies, resident: copies, giveBack: () => undefined };
      }
      const { outputs, retire } = borrowedOutputs(frame);
      const giveBack = (): void => {
        retire();
        end();
      };
      return { outputs: copies ?? outputs, resident: outputs, giveBack };
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** One step of a frame, on a backend that answers at once. */
export function act(frame: Frame, node: OpNode, at: number): void {
  try {
    void frame.program.actions[at](frame);
  } catch (error) {
    throw nodeError(node, error);
  }
}
