/**
 * @file Pieces of a pipe, joined so that the stack does not grow from piece to piece.
 *
 * What leaves a piece is queued, and the outermost call takes it on to the next one. Subscribing and tearing down are loops,
 * too, in the order of a plain chain. Like there, a step that subscribes again subscribes to all above it again.
 */
import { Observable, type Observer, type Subscriber } from 'rxjs';
import type { EinstreamError } from '../errors/index.js';
import { endWith, tearDown } from './ending.js';
import { fifo } from './fifo.js';
import type { Frame } from './frame.js';
import { listener } from './link.js';
import type { Step } from './step.js';

type Tell = (failure: EinstreamError) => void;

/** @param tell hears of a teardown that failed when no stream could carry it */
export const handOver =
  (pieces: readonly Step[], tell: Tell): Step =>
  (frames$) =>
    new Observable((subscriber) => connect(pieces, frames$, subscriber, trampoline(), tell));

function connect(
  pieces: readonly Step[],
  frames$: Observable<Frame>,
  subscriber: Subscriber<Frame>,
  later: (task: () => void) => void,
  tell: Tell,
): void {
  /** Where each piece listens; the last is the end. */
  const sinks = new Array<Subscriber<Frame> | undefined>(pieces.length).fill(undefined);
  sinks.push(subscriber);
  /** The source, then what leaves each piece. */
  const parts = sinks.map((_, at) => listener(into(at)));
  let stopped = 0;
  let isWiring = true;

  /** Tears down the first `count` parts, upstream first. */
  function stop(count: number): EinstreamError | undefined {
    let first: EinstreamError | undefined;
    while (stopped < count) {
      const failure = tearDown(parts[stopped++]);
      if (first === undefined) first = failure;
      else endWith(first, failure, tell);
    }
    return first;
  }
  function stopOrThrow(count: number): void {
    const failure = stop(count);
    if (failure !== undefined) throw failure;
  }
  /** What a part says goes to the sink of the same number. When it ends, nothing above is needed any more. */
  function into(at: number): Observer<Frame> {
    const end = (act: (failure: EinstreamError | undefined) => void): void => {
      const above: { failure?: EinstreamError } = {};
      later(() => act(above.failure));
      // When the end waits its turn, this comes first.
      above.failure = stop(at + 1);
    };
    return {
      next: (frame) => later(() => sinks[at]?.next(frame)),
      error: (error: unknown) => end((failure) => sinks[at]?.error(endWith(error, failure, tell))),
      complete: () => end((failure) => (failure === undefined ? sinks[at]?.complete() : sinks[at]?.error(failure))),
    };
  }
  const entry = (at: number): Observable<Frame> =>
    new Observable((sink) => {
      if (!isWiring || sinks[at] !== undefined) return connect(pieces.slice(0, at), frames$, sink, later, tell);
      sinks[at] = sink;
      sink.add(() => stopOrThrow(at + 1));
    });

  subscriber.add(() => stopOrThrow(parts.length));
  let at = pieces.length;
  // Downstream first. A piece that has ended, or does not listen yet, needs nothing above it now.
  for (; at > 0 && sinks[at] !== undefined && !parts[at].closed; at--) pieces[at - 1](entry(at - 1)).subscribe(parts[at]);
  isWiring = false;
  if (at === 0 && sinks[0] !== undefined && !parts[0].closed) frames$.subscribe(parts[0]);
}

/** Runs tasks one after another: a task given while another runs waits its turn. */
function trampoline(): (task: () => void) => void {
  const tasks = fifo<() => void>();
  let isRunning = false;
  return (task) => {
    tasks.push(task);
    if (isRunning) return;
    isRunning = true;
    try {
      for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) next();
    } finally {
      isRunning = false;
    }
  };
}
