/**
 * @file Every kind of flow that the package makes, for the rules of Reactive Streams.
 */
import { Readable } from 'node:stream';
import { concatMap, dematerialize, map, materialize, Observable, pipe } from 'rxjs';
import {
  fork,
  fromObservable,
  graph,
  input,
  join,
  mul,
  pulled,
  run,
  through,
  toAsyncIterable,
  toObservable,
  toReadableStream,
  type Flow,
} from '../../src/index.js';
import { probed } from './flow-probe.js';
import type { FlowUse, MakeFlow } from './tck-flow.js';

export const g = graph({ x: input([1]) }, ({ x }) => ({ y: mul(x, 2) }));
export type Feed = { readonly x: number[] };
export const feed = (k: number): Feed => ({ x: [k] });
export const theEnd = (): Error => new Error('the end');

export const iterable: MakeFlow<Feed> = (count, end) =>
  pulled({
    *[Symbol.iterator]() {
      for (let k = 0; k < count; k++) yield feed(k);
      if (end === 'error') throw theEnd();
    },
  });
async function* items(count: number, end: string): AsyncGenerator<Feed, void, undefined> {
  for (let k = 0; k < count; k++) yield feed(k);
  await Promise.resolve();
  if (end === 'error') throw theEnd();
}
const asyncIterable: MakeFlow<Feed> = (count, end) => pulled({ [Symbol.asyncIterator]: () => items(count, end) });
const web = (count: number, end: string): ReadableStream<Feed> => {
  let k = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (k < count) controller.enqueue(feed(k++));
        else if (end === 'error') controller.error(theEnd());
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
};
const observable: MakeFlow<Feed> = (count, end) =>
  fromObservable(
    new Observable<Feed>((subscriber) => {
      for (let k = 0; k < count && !subscriber.closed; k++) subscriber.next(feed(k));
      if (end === 'error') subscriber.error(theEnd());
      if (end === 'complete') subscriber.complete();
    }),
    { policy: 'error', size: Infinity },
  );
/** A branch beside one that takes everything. */
const branch = <T>(flow: Flow<T>): Flow<T> => ({
  open(sink) {
    const [own, other] = fork(flow, 2);
    probed(other, (kind, edge) => void (kind === 'open' && edge.grant(Infinity)));
    own.open(sink);
  },
});
const later = { answers: 'later' } as const;
const atOnce = { answers: 'at once' } as const;

export const publishers: Readonly<Record<string, readonly [MakeFlow<unknown>, FlowUse]>> = {
  'pulled(iterable)': [iterable, atOnce],
  'pulled(asyncIterable)': [asyncIterable, later],
  'pulled(readableStream)': [(count, end) => pulled(web(count, end)), { ...later, isOneShot: true }],
  'pulled(Readable)': [
    (count, end) => pulled(Readable.from(items(count, end)) as AsyncIterable<Feed>),
    { ...later, isOneShot: true },
  ],
  'fromObservable(hot, policy)': [observable, atOnce],
  'through(run(graph)), credit 1': [(count, end) => through(run(g), { credits: 1 })(iterable(count, end)), atOnce],
  'through(run(graph)), credits 5': [(count, end) => through(run(g), { credits: 5 })(iterable(count, end)), atOnce],
  'through(run(graph)), in bytes': [(count, end) => through(run(g), { credits: 9, bytes: 20 })(iterable(count, end)), atOnce],
  "through(run(graph)), release: 'input'": [
    (count, end) => through(run(g), { credits: 3, release: 'input' })(iterable(count, end)),
    { answers: 'at once' },
  ],
  'through(run(graph)) twice, from promises': [
    (count, end) =>
      through(
        pipe(
          map(({ y }: { y: unknown }) => ({ x: y as number[] })),
          run(g),
        ) as never,
        { credits: 2 },
      )(through(run(g), { credits: 3 })(asyncIterable(count, end))),
    later,
  ],
  'through(an operator that waits)': [
    (count, end) =>
      through(
        // The end waits its turn, too: `concatMap` alone would let an error overtake the items before it.
        pipe(
          materialize<Feed>(),
          concatMap((signal) => Promise.resolve(signal)),
          dematerialize(),
        ),
        { credits: 4 },
      )(iterable(count, end)),
    later,
  ],
  'join(flows)': [(count, end) => join({ a: iterable(count, end), b: iterable(count + 1, 'complete') }), atOnce],
  'a branch of fork(flow)': [(count, end) => branch(iterable(count, end)), atOnce],
  'pulled(toAsyncIterable(flow))': [(count, end) => pulled(toAsyncIterable(iterable(count, end))), later],
  'pulled(toReadableStream(flow))': [
    (count, end) => pulled(toReadableStream(iterable(count, end))),
    { ...later, isOneShot: true },
  ],
  'fromObservable(toObservable(flow))': [
    (count, end) => fromObservable(toObservable(iterable(count, end)), { policy: 'error', size: Infinity }),
    atOnce,
  ],
};
