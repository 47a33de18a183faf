/**
 * @file The consumer's half of an edge: takes the first edge alone, and no more items than it has asked for.
 */
import { fault } from '../../errors/index.js';
import type { Barrier, Edge, Flow, Sink } from './flow.js';

/** Hears a flow. Nothing is heard after the end, or after cancelling. */
export interface Ear<T> {
  readonly next: (value: T) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
  /** Without it barriers are lost here. */
  readonly barrier?: (barrier: Barrier) => void;
}

export interface Inlet<T> {
  readonly sink: Sink<T>;
  /** Before the edge is there, grants wait for it. */
  readonly grant: (credits: number) => void;
  /** Also before the edge is there. */
  readonly cancel: () => void;
}

export function inlet<T>(ear: Ear<T>): Inlet<T> {
  let edge: Edge | undefined;
  /** Granted, and not here yet. */
  let owed = 0;
  let isOpen = true;
  const end = (): boolean => {
    const wasOpen = isOpen;
    isOpen = false;
    return wasOpen;
  };
  const cancel = (): void => {
    if (end()) edge?.cancel();
  };
  return {
    cancel,
    grant(credits) {
      owed += credits;
      if (isOpen) edge?.grant(credits);
    },
    sink: {
      open(given) {
        // RS 2.5, 2.12: one edge for one sink.
        if (edge !== undefined || !isOpen) return given.cancel();
        edge = given;
        if (owed > 0) given.grant(owed);
      },
      next(value) {
        if (!isOpen) return;
        if (owed < 1) {
          cancel();
          ear.error(unasked());
          return;
        }
        owed--;
        ear.next(value);
      },
      error(error: unknown) {
        if (end()) ear.error(error);
      },
      complete() {
        if (end()) ear.complete();
      },
      barrier(barrier) {
        if (!isOpen) return;
        if (ear.barrier === undefined) barrier.lose();
        else ear.barrier(barrier);
      },
    },
  };
}

/** Opens the flow into the inlet. What `open` throws is the flow's error. */
export function openInto<T>(flow: Flow<T>, { sink }: Inlet<T>): void {
  try {
    flow.open(sink);
  } catch (error) {
    sink.error(error);
  }
}

const unasked = () =>
  fault('E_DEMAND', {
    place: 'flow',
    rule: 'a flow must not give more items than it was granted',
    hint: 'call `next` only against credit; fromObservable(…) puts a policy before a source that cannot wait',
  });
