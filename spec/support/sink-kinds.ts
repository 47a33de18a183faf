/**
 * @file Every kind of consumer of flows that the package makes, for the rules of Reactive Streams.
 */
import { mergeMap, tap, type Observable } from 'rxjs';
import {
  acknowledged,
  fork,
  join,
  pulled,
  run,
  runStreamAsync,
  through,
  toAsyncIterable,
  toObservable,
  toReadableStream,
  type Flow,
} from '../../src/index.js';
import { g, type Feed } from './flow-kinds.js';
import { listen } from './listen.js';
import type { Consumer } from './tck-sink.js';

/** What a subscription to an Observable heard. */
function watching(stream$: Observable<unknown>, next: (value: unknown) => void = () => undefined): Consumer {
  let error: unknown;
  const { log, subscription } = listen(
    stream$.pipe(
      tap({
        next,
        error: (cause: unknown) => (error = cause),
      }),
    ),
  );
  return { log, error: () => error, want: () => undefined, cancel: () => subscription.unsubscribe() };
}
/** What questions were answered with. */
function asking(ask: () => Promise<{ readonly done?: boolean }>, cancel: () => Promise<unknown>): Consumer {
  const log: string[] = [];
  let error: unknown;
  return {
    log,
    error: () => error,
    want: () =>
      void ask().then(
        ({ done }) => log.push(done === true ? 'complete' : 'next'),
        (cause: unknown) => {
          error = cause;
          log.push('error');
        },
      ),
    cancel: () => void cancel().catch(() => undefined), // an errored stream of the web says its error once more
  };
}
const naturals: Iterable<number> = {
  *[Symbol.iterator]() {
    for (let n = 0; ; n++) yield n;
  },
};

export const consumers: Readonly<Record<string, readonly [(flow: Flow<Feed>) => Consumer, number]>> = {
  toObservable: [(flow) => watching(toObservable(flow)), 1],
  acknowledged: [
    (flow) => {
      const acks: (() => void)[] = [];
      const consumer = watching(acknowledged(flow, { credits: 3 }), (value) => acks.push((value as { ack: () => void }).ack));
      return { ...consumer, want: () => acks.splice(0).forEach((ack) => ack()) };
    },
    3,
  ],
  toAsyncIterable: [
    (flow) => {
      const iterator = toAsyncIterable(flow)[Symbol.asyncIterator]();
      return asking(
        () => iterator.next(),
        () => iterator.return!(),
      );
    },
    1,
  ],
  toReadableStream: [
    (flow) => {
      const reader = toReadableStream(flow).getReader();
      return asking(
        () => reader.read(),
        () => reader.cancel(),
      );
    },
    1,
  ],
  'through(run(graph))': [(flow) => watching(toObservable(through(run(g), { credits: 3 })(flow))), 3],
  'through(…), in bytes': [(flow) => watching(toObservable(through(run(g), { credits: 3, bytes: 10 })(flow))), 1],
  'through(an operator with several at work)': [
    (flow) =>
      watching(
        toObservable(
          through(
            mergeMap((x: Feed) => Promise.resolve(x)),
            { credits: 4 },
          )(flow),
        ),
      ),
    4,
  ],
  join: [(flow) => watching(toObservable(join({ a: flow, b: pulled(naturals) }))), 1],
  fork: [
    (flow) => {
      const [a, b] = fork(flow, 2).map((each) => watching(toObservable(each)));
      return {
        ...a,
        cancel() {
          a.cancel();
          b.cancel();
        },
      };
    },
    1,
  ],
  runStreamAsync: [(flow) => watching(runStreamAsync(g, flow, { maxConcurrent: 2, backpressureThreshold: 3 })), 5],
};
