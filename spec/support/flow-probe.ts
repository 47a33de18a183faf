/**
 * @file The two ends of a flow for specs: a sink that writes down what it hears, and a flow that does what a spec says.
 */
import type { Edge, Flow, Sink } from '../../src/index.js';

export interface Probe<T> {
  readonly sink: Sink<T>;
  /** `open`, `next`, `error`, `complete`, in order. */
  readonly log: string[];
  readonly values: T[];
  readonly error: () => unknown;
  readonly edge: () => Edge;
  /** Deepest nesting of signals, `open` included: 1 when none was told inside another. */
  readonly depth: () => number;
}

/** Opens the flow into a new probe; `react` is called inside each signal. */
export function probed<T>(flow: Flow<T>, react: (kind: string, edge: Edge) => void = () => undefined): Probe<T> {
  const log: string[] = [];
  const values: T[] = [];
  let [depth, deepest] = [0, 0];
  let edge: Edge | undefined;
  let failure: unknown;
  const hear = (kind: string): void => {
    log.push(kind);
    deepest = Math.max(deepest, ++depth);
    try {
      react(kind, edge!);
    } finally {
      depth--;
    }
  };
  const sink: Sink<T> = {
    open(given) {
      edge = given;
      hear('open');
    },
    next(value) {
      values.push(value);
      hear('next');
    },
    error(error: unknown) {
      failure = error;
      hear('error');
    },
    complete: () => hear('complete'),
  };
  flow.open(sink);
  return { sink, log, values, error: () => failure, edge: () => edge!, depth: () => deepest };
}

export interface Scripted<T> {
  readonly flow: Flow<T>;
  /** The sink of the last opening. */
  readonly sink: () => Sink<T>;
  /** What was called on the edge: `grant n` and `cancel`. */
  readonly calls: string[];
  readonly granted: () => number;
  readonly edge: Edge;
}

/** A flow whose signals the spec gives itself. It opens its edge at once unless told to wait. */
export function scripted<T>(opens: 'at once' | 'later' = 'at once'): Scripted<T> {
  const calls: string[] = [];
  let granted = 0;
  let sink: Sink<T> | undefined;
  const edge: Edge = {
    grant(credits) {
      granted += credits;
      calls.push(`grant ${credits}`);
    },
    cancel: () => void calls.push('cancel'),
  };
  return {
    flow: {
      open(given) {
        sink = given;
        if (opens === 'at once') given.open(edge);
      },
    },
    sink: () => sink!,
    calls,
    granted: () => granted,
    edge,
  };
}

/** Lets all promises and zero timers of now be over. */
export async function settled(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
