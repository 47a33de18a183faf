/**
 * @file The producer's half of an edge: counts credit, and tells one thing at a time.
 */
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';
import { endWith } from '../../run/ending.js';
import { consumerFailed, teardownFailed } from './failures.js';
import type { Barrier, Sink } from './flow.js';

/** What makes the items of an edge. */
export interface Producer {
  /** Called once the sink has its edge, unless it has cancelled. */
  readonly start?: () => void;
  /**
   * Tells one thing, if there is one, and says whether there may be another. Never called inside itself, nor after the end.
   * What it throws becomes the edge's error.
   */
  readonly step: () => boolean;
  /** The edge was closed before the producer ended it: nobody listens. What it throws is E_TEARDOWN. */
  readonly stop: () => void;
}

/** How a producer tells. `next`, `error` and `complete` are for `step` alone. */
export interface Outlet<T> {
  readonly credits: () => number;
  readonly isOpen: () => boolean;
  /** Takes one credit. */
  readonly next: (value: T) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
  /** Takes no credit. For `step` alone, too. */
  readonly barrier: (barrier: Barrier) => void;
  /** Something may be there to tell: `step` is called, at once or when the running call of it is over. */
  readonly pump: () => void;
}

/** RS 3.17: as good as unbounded. */
const MOST = Number.MAX_SAFE_INTEGER;

const isGrant = (credits: unknown): credits is number =>
  credits === Infinity || (Number.isSafeInteger(credits) && (credits as number) >= 1);

/** In place of the sink after the end, so that who was listening can be collected. */
const SILENT: Sink<unknown> = { open() {}, next() {}, error() {}, complete() {}, barrier() {} };

/** Gives the sink an edge to the producer that `make` makes. `tell` hears of failures that the sink cannot hear any more. */
export function outlet<T>(sink: Sink<T>, tell: (failure: EinstreamError) => void, make: (out: Outlet<T>) => Producer): void {
  checkSink(sink);
  let target = sink;
  let credits = 0;
  let isOpen = true;
  let isBusy = true;
  let isCalledAgain = false;
  let wrong: EinstreamError | undefined;

  const close = (): Sink<T> => {
    const last = target;
    isOpen = false;
    target = SILENT;
    return last;
  };
  const stopped = (): EinstreamError | undefined => {
    try {
      producer.stop();
      return undefined;
    } catch (error) {
      return teardownFailed(error);
    }
  };
  const tellEnd = (signal: () => void): void => {
    try {
      signal();
    } catch (error) {
      tell(consumerFailed('sink', error));
    }
  };
  const fail = (error: unknown): void => {
    const last = close();
    const end = endWith(error, stopped(), tell);
    tellEnd(() => last.error(end));
  };
  const stepOnce = (): boolean => {
    try {
      return producer.step();
    } catch (error) {
      if (isOpen) fail(error);
      else tell(teardownFailed(error));
      return false;
    }
  };

  const thrown = (error: unknown): void => {
    const failure = consumerFailed('sink', error);
    if (isOpen) fail(failure);
    else tell(failure);
  };

  const out: Outlet<T> = {
    credits: () => credits,
    isOpen: () => isOpen,
    next(value) {
      credits--;
      try {
        target.next(value);
      } catch (error) {
        thrown(error);
      }
    },
    barrier(barrier) {
      try {
        if (target.barrier === undefined) barrier.lose();
        else target.barrier(barrier);
      } catch (error) {
        thrown(error);
      }
    },
    error(error) {
      const last = close();
      tellEnd(() => last.error(error));
    },
    complete() {
      const last = close();
      tellEnd(() => last.complete());
    },
    pump() {
      isCalledAgain = true;
      if (isBusy) return;
      isBusy = true;
      for (let hasMore = true; isOpen && (hasMore || isCalledAgain);) {
        isCalledAgain = false;
        if (wrong === undefined) hasMore = stepOnce();
        else fail(wrong);
      }
      isBusy = false;
    },
  };
  const producer = made(() => make(out));

  try {
    sink.open({
      grant(more) {
        if (!isOpen) return;
        if (!isGrant(more)) wrong ??= wrongGrant(more);
        else if (credits !== Infinity) credits = more === Infinity ? Infinity : Math.min(credits + more, MOST);
        out.pump();
      },
      cancel() {
        if (!isOpen) return;
        close();
        const failure = stopped();
        if (failure !== undefined) tell(failure);
      },
    });
  } catch (error) {
    if (isOpen) fail(consumerFailed('sink', error));
  }
  // From here on items may be told, also while the producer subscribes to a source that does not wait.
  isBusy = false;
  try {
    if (isOpen) producer.start?.();
  } catch (error) {
    if (isOpen) fail(error);
  }
  out.pump();
}

/** What `make` throws is told to the sink, once that has its edge. */
function made(make: () => Producer): Producer {
  try {
    return make();
  } catch (error) {
    const start = (): never => {
      throw error;
    };
    return { start, step: () => false, stop: () => undefined };
  }
}

function checkSink(sink: unknown): void {
  const isSink =
    typeof sink === 'object' &&
    sink !== null &&
    (['open', 'next', 'error', 'complete'] as const).every((name) => typeof (sink as Sink<unknown>)[name] === 'function');
  if (!isSink)
    throw fault('E_ARGUMENT', {
      place: 'open',
      rule: 'a flow is opened into a sink',
      expected: 'an object with open, next, error and complete',
      actual: describeValue(sink),
      hint: 'toObservable(flow) and toAsyncIterable(flow) have sinks of their own',
    });
}

const wrongGrant = (credits: unknown): EinstreamError =>
  fault('E_DEMAND', {
    place: 'grant',
    rule: 'credits are counted in whole items',
    expected: 'an integer ≥ 1, or Infinity',
    actual: describeValue(credits),
  });
