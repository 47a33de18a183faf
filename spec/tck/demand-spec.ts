/** @file Every flow and every consumer of flows keeps the rules of Reactive Streams, those of demand included. */
import { expect } from 'chai';
import { Readable } from 'node:stream';
import { concatMap, dematerialize, map, materialize, mergeMap, Observable, pipe, type Subscription } from 'rxjs';
import {
  acknowledged,
  fork,
  fromObservable,
  graph,
  input,
  join,
  mul,
  pulled,
  run,
  runStreamAsync,
  through,
  toAsyncIterable,
  toObservable,
  toReadableStream,
  type Flow,
} from '../../src/index.js';
import { collected } from '../support/collect.js';
import { probed, settled } from '../support/flow-probe.js';
import { listen } from '../support/listen.js';
import { cancelledSinks, verifyPublisher, type FlowUse, type MakeFlow } from '../support/tck-flow.js';
import { verifySink, type Consumer } from '../support/tck-sink.js';
import { expectNothingUncaught } from '../support/uncaught.js';

const g = graph({ x: input([1]) }, ({ x }) => ({ y: mul(x, 2) }));
type Feed = { readonly x: number[] };
const feed = (k: number): Feed => ({ x: [k] });
const theEnd = (): Error => new Error('the end');

const iterable: MakeFlow<Feed> = (count, end) =>
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

const publishers: Readonly<Record<string, readonly [MakeFlow<unknown>, FlowUse]>> = {
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
  'through(run(graph)) twice, from promises': [
    (count, end) =>
      through(
        pipe(
          map(({ y }: { y: unknown }) => ({ x: y as number[] })),
          run(g),
        ) as never,
        { credits: 2 },
      )(through(run(g), { credits: 3 })(asyncIterable(count, end)) as Flow<never>),
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

/** What a subscription to an Observable heard. */
function watching(stream$: Observable<unknown>, next: (value: unknown) => void = () => undefined): Consumer {
  let error: unknown;
  const subscription: Subscription[] = [];
  const heard = listen(
    new Observable((subscriber) =>
      stream$.subscribe({
        next(value) {
          subscriber.next(value);
          next(value);
        },
        error(cause: unknown) {
          error = cause;
          subscriber.error(cause);
        },
        complete: () => subscriber.complete(),
      }),
    ),
  );
  subscription.push(heard.subscription);
  return {
    log: heard.log,
    error: () => error,
    want: () => undefined,
    cancel: () => subscription.forEach((each) => each.unsubscribe()),
  };
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

const consumers: Readonly<Record<string, readonly [(flow: Flow<Feed>) => Consumer, number]>> = {
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
  runStreamAsync: [
    (flow) => watching(runStreamAsync(g, flow, { maxConcurrent: 2, backpressureThreshold: 3 }) as Observable<unknown>),
    5,
  ],
};

describe('the rules of Reactive Streams, with demand', function () {
  this.timeout(process.env['EINSTREAM_SIZE'] ? 300_000 : 20_000);
  expectNothingUncaught();
  let [passed, asked] = [0, 0];
  const hold = ({ rules, title, check }: ReturnType<typeof verifySink>[number]): void => {
    asked++;
    it(`RS ${rules}: ${title}`, async () => {
      await check();
      passed++;
    });
  };

  for (const [kind, [make, use]] of Object.entries(publishers))
    describe(`for ${kind}`, () => {
      for (const rule of verifyPublisher(make, use)) hold(rule);
    });
  for (const [kind, [consume, credits]] of Object.entries(consumers))
    describe(`for the sink of ${kind}`, () => {
      for (const rule of verifySink(consume, { feed, credits })) hold(rule);
    });

  it('RS 2.6, 3.13: sinks of all kinds of flows that have cancelled can be collected, though their edges are held', async () => {
    const held: unknown[] = [];
    const kinds = Object.entries(publishers).map(([kind, [make]]) => ({ kind, refs: cancelledSinks(make, held) }));
    asked += kinds.length;
    await settled(5);
    await collected();
    const leaking = kinds.filter(({ refs }) => refs.some((ref) => ref.deref() !== undefined)).map(({ kind }) => kind);
    passed += kinds.length - leaking.length;
    expect([leaking, held.length]).to.deep.equal([[], 20 * kinds.length]);
  });

  it('RS 1.11: branches hear the same sequence', () => {
    const heard = fork(iterable(5, 'complete'), 3).map((flow) => probed(flow));
    for (const [k, { edge }] of heard.entries()) edge().grant(k + 2);
    expect(heard.map(({ values }) => values.length)).to.deep.equal([2, 2, 2]);
    for (const { edge } of heard) edge().grant(9);
    for (const { values, log } of heard) expect([values, log.at(-1)]).to.deep.equal([heard[0].values, 'complete']);
    expect(heard[0].values).to.deep.equal([0, 1, 2, 3, 4].map(feed));
  });

  it('bite: a flow that nests, one that counts wrongly and one that goes on after a cancel break some', async () => {
    const broken = async (make: MakeFlow<number>): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const { rules, check } of verifyPublisher(make, { ...atOnce, trials: 20 })) {
        await Promise.resolve()
          .then(check)
          .catch(() => found.push(rules));
      }
      await settled();
      return found;
    };
    const naive =
      (excess: number, stops: boolean): MakeFlow<number> =>
      (count, end) => ({
        open(sink) {
          let [k, isOpen] = [0, true];
          sink.open({
            grant(credits) {
              for (let left = credits + excess; isOpen && left > 0 && k < count; left--) sink.next(k++);
              if (!isOpen || k < count) return;
              isOpen = false;
              if (end === 'complete') sink.complete();
              else sink.error(theEnd());
            },
            cancel: () => void (isOpen = !stops),
          });
        },
      });
    const nesting = await broken(naive(0, true));
    expect(nesting).to.include.members(['1.3, 3.2, 3.3, 3.10, 3.11', '1.9', '2.13, 3.15, 3.16', '3.9']);
    expect(nesting).not.to.include('1.1, 3.8');
    expect(await broken(naive(1, true))).to.include('1.1, 3.8');
    expect(await broken(naive(0, false))).to.include.members(['1.8, 3.12', '3.5, 3.6, 3.7']);
  });

  after(() => {
    const [flows, sinks] = [Object.keys(publishers).length, Object.keys(consumers).length];
    console.log(`    rules × kinds, with demand: ${passed} of ${asked} passed, ${flows} kinds of flows, ${sinks} of sinks`);
  });
});
