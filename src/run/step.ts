/**
 * @file A step: one node as an operator on frames, and its second face for plain synchronous steps.
 */
import { concatMap, map, Observable, of, type MonoTypeOperatorFunction } from 'rxjs';
import { EinstreamError, fault } from '../errors/index.js';
import { placeOf, type Graph, type NodeId, type OpNode } from '../graph/graph.js';
import type { Backend } from '../backends/index.js';
import type { Frame } from './frame.js';

/** One node as an RxJS operator: a frame goes in, the same frame comes out with the value of the node. */
export type Step = MonoTypeOperatorFunction<Frame>;

/** What middleware may know beside the node. */
export interface StepContext {
  readonly graph: Graph;
  /** The graph as it was given: the same ids, and those that passes made go. */
  readonly source: Graph;
  /** Who was asked to compute. The default stands for two: `backendOf(frame)` is the one that computes a frame. */
  readonly backend: Backend;
  /** Position in the order of execution, and how many there are. */
  readonly position: number;
  readonly count: number;
}

/**
 * Wraps a step: profile, trace, retry, memo, … are all of this form. It may hold frames back, but passes each on once, with a
 * value for its node: the step's own, or one that `assign` gave. A frame that it drops keeps its memory until the run ends.
 * State belongs to a subscription (`defer`); retries go through a timer, for the frame that failed.
 */
export interface Middleware {
  (step: Step, node: OpNode, context: StepContext): Step;
  /** Values of the graph as it was given that it wants to see: no pass makes them go. */
  readonly keeps?: (graph: Graph) => readonly NodeId[];
}

/** What a plain synchronous step does to a frame. */
export type Apply = (frame: Frame) => Frame;

/** A failure inside a node, with the node's place; an error that has one already stays as it is. */
export function nodeError(node: OpNode, error: unknown): EinstreamError {
  if (error instanceof EinstreamError) {
    if (error.nodeId !== undefined) return error;
    return new EinstreamError(error.code, { ...error.diagnostic, place: placeOf(node).place }, { nodeId: node.id, cause: error });
  }
  return fault('E_KERNEL', {
    ...placeOf(node),
    rule: 'the kernel must not fail',
    actual: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}

/** The step at `position` as a function. */
export function applyOf(node: OpNode, position: number): Apply {
  return (frame) => {
    try {
      void frame.program.actions[position](frame);
      return frame;
    } catch (error) {
      throw nodeError(node, error);
    }
  };
}

/** All steps as one function, for backends that answer at once. Which they are is for the program of the frame to say. */
export const applyAll: Apply = (frame) => {
  const { actions, prepared } = frame.program;
  let at = 0;
  try {
    for (; at < actions.length; at++) void actions[at](frame);
    return frame;
  } catch (error) {
    throw nodeError(prepared.nodes[at], error);
  }
};

/**
 * The step as an operator: a `map` where the backend is synchronous, a `concatMap` where it is not.
 *
 * @param late hears of a kernel that fails when nobody waits for it any more
 */
export function operatorOf(node: OpNode, position: number, backend: Backend, late?: (error: EinstreamError) => void): Step {
  if (!backend.capabilities.asynchronous) return map(applyOf(node, position));
  return concatMap((frame) => {
    const done = frame.program.actions[position](frame);
    return done === undefined ? of(frame) : settled(done, frame, node, late);
  });
}

function settled(
  done: Promise<void>,
  frame: Frame,
  node: OpNode,
  late: ((error: EinstreamError) => void) | undefined,
): Observable<Frame> {
  frame.lease.running++;
  const ended = done.finally(() => frame.program.arenas.settled(frame.lease));
  return new Observable((subscriber) => {
    ended.then(
      () => {
        subscriber.next(frame);
        subscriber.complete();
      },
      (cause: unknown) => {
        const error = nodeError(node, cause);
        if (subscriber.closed) late?.(error);
        else subscriber.error(error);
      },
    );
  });
}
