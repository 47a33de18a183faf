/**
 * @file Recordings on their way: from the frame that is recorded to the outputs that it becomes.
 */
import type { Graph, NodeId } from '../graph/graph.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Outputs } from './feeds.js';
import type { Frame } from './frame.js';

/** The values of one feed that rules for gradients read, by id of the graph as it was given. */
export interface RunTape {
  readonly graph: Graph;
  readonly values: Map<NodeId, Tensor>;
}

// Held by the frame and then by its outputs: who lets go of these lets go of the recording.
const ofFrames = new WeakMap<Frame, RunTape>();
const ofOutputs = new WeakMap<Outputs, RunTape>();

/** The recording of a frame, begun at the first call. */
export function tapeOf(frame: Frame): RunTape {
  let tape = ofFrames.get(frame);
  if (tape === undefined) ofFrames.set(frame, (tape = { graph: frame.program.prepared.source, values: new Map() }));
  return tape;
}

export const tapeOfOutputs = (outputs: Outputs): RunTape | undefined => ofOutputs.get(outputs);

/** Called as outputs leave. */
export function carryTape(frame: Frame, outputs: Outputs): void {
  const tape = ofFrames.get(frame);
  if (tape !== undefined) ofOutputs.set(outputs, tape);
}
