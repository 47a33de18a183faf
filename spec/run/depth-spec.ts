/** @file Depth: chains and fans far beyond what nested RxJS operators bear, on the default stack, with nothing lost (F1). */
import { expect } from 'chai';
import {
  concatMap,
  concatWith,
  NEVER,
  defer,
  finalize,
  from,
  map,
  of,
  retry,
  Subject,
  take,
  tap,
  timer,
  type Observable,
} from 'rxjs';
import {
  add,
  concat,
  EinstreamError,
  graph,
  input,
  neg,
  run,
  type Feeds,
  type GraphSymbol,
  type Middleware,
  type RunOptions,
} from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { propertyRuns } from '../support/property.js';
import { failing, failingFor, only } from '../support/middleware.js';

const chains = new Map<number, ReturnType<typeof makeChain>>();
const chain = (length: number) => chains.get(length) ?? chains.set(length, makeChain(length)).get(length)!;
const makeChain = (length: number) =>
  graph({ x: input([1]) }, ({ x }) => {
    let y: GraphSymbol = x;
    for (let at = 0; at < length; at++) y = neg(y);
    return { y };
  });

/** Each signal as text: a value is its only element. */
function signalsOf(feeds$: Observable<Feeds>, length: number, options: RunOptions): readonly string[] {
  const log: string[] = [];
  (feeds$ as Observable<{ x: number[] }>).pipe(run(chain(length), { level: 'none', ...options })).subscribe({
    next: ({ y }) => log.push(String(y.toArray())),
    error: (error: unknown) =>
      log.push(error instanceof EinstreamError ? `error ${error.code} ${error.nodeId}` : `error ${String(error)}`),
    complete: () => log.push('complete'),
  });
  return log;
}

const twice$ = from([{ x: [1] }, { x: [2] }]);
const heavy: Middleware = (step) => (frames$) =>
  defer(() =>
    frames$.pipe(
      concatMap((frame) => of(frame).pipe(step, retry({ count: 1, delay: () => timer(0) }), tap({}))),
      finalize(() => undefined),
      map((frame) => frame),
    ),
  );
const light: Middleware = (step) => (frames$) => frames$.pipe(step, tap({}));

const long = propertyRuns(5_000, 100_000, 1_000_000);
const some = propertyRuns(5_000, 10_000, 10_000);
const ways: readonly (readonly [string, number, RunOptions])[] = [
  ['joined into one loop', long, { compose: 'segments' }],
  ['each an operator of its own', long, { compose: 'separate' }],
  ['each with middleware', propertyRuns(5_000, 100_000, 100_000), { use: [light] }],
  ['each with middleware, and an operator of its own', some, { use: [light], compose: 'separate' }],
  ['each with heavy middleware', 3_000, { use: [heavy] }],
  ['each with five heavy middlewares', 1_000, { use: [heavy, heavy, heavy, heavy, heavy] }],
  [
    'every third with middleware',
    some,
    { use: [(step, node, context) => (node.id % 3 === 0 ? heavy(step, node, context) : step)] },
  ],
];

describe('a chain on the default stack (F004)', function () {
  this.timeout(60_000);

  for (const [how, length, options] of ways) {
    it(`of ${length.toLocaleString('en')} nodes, ${how}, delivers values, then completes`, () => {
      expect(signalsOf(twice$, length, options)).to.deep.equal(['1', '2', 'complete']);
    });
  }

  for (const [how, , options] of ways.slice(1)) {
    it(`delivers an error of the source, ${how}`, () => {
      const failing$ = defer(() => from([{ x: [1] }, { x: [2] }])).pipe(
        tap({
          complete: () => {
            throw new Error('mine');
          },
        }),
      );
      expect(signalsOf(failing$, 1_000, options)).to.deep.equal(['1', '2', 'error Error: mine']);
    });

    for (const at of [1, 500, 1_000])
      it(`delivers an error of node ${at} of 1,000, ${how}`, () => {
        const bad = failingFor(at === 1_000 ? 'y' : `neg_${at}`, ({ index }) => index === 1);
        const use = [bad, ...(options.use ?? [])];
        expect(signalsOf(twice$, 1_000, { ...options, use })).to.deep.equal(['1', `error E_CONSUMER ${at}`]);
      });
  }

  it('tears every step down when it is unsubscribed from, inside a value too', () => {
    let tornDown = 0;
    const counting: Middleware = (step) => (frames$) =>
      frames$.pipe(
        step,
        finalize(() => tornDown++),
      );
    const seen: unknown[] = [];
    const waiting = new Subject<{ x: number[] }>();
    const outputs$ = waiting.pipe(run(chain(2_000), { level: 'none', use: [counting] }));
    outputs$.subscribe().unsubscribe();
    expect([tornDown, waiting.observed]).to.deep.equal([2_000, false]);
    outputs$.pipe(take(1)).subscribe((out) => seen.push(out.y.toArray()));
    waiting.next({ x: [1] });
    expect([tornDown, waiting.observed, seen, liveMemory().frames]).to.deep.equal([4_000, false, [[1]], 0]);
  });

  it('subscribes to all above again where a step does, from the last of 2,000 too', () => {
    let [subscribed, tornDown] = [0, 0];
    const log: unknown[] = [];
    const feeds = new Subject<{ x: number[] }>();
    const feeds$ = defer(() => {
      subscribed++;
      return feeds.pipe(finalize(() => tornDown++));
    });
    const use = [
      only('y', (step) => (frames$) => frames$.pipe(step, retry(2))),
      light,
      failing('neg_7', 1),
      failing('neg_1000', 1),
    ];
    feeds$.pipe(run(chain(2_000), { level: 'none', use })).subscribe(({ y }) => log.push(y.toArray()));
    for (const x of [1, 2, 3, 4]) feeds.next({ x: [x] });
    expect([subscribed, tornDown, log]).to.deep.equal([3, 2, [[3], [4]]]);
    feeds.complete();
    expect([tornDown, liveMemory().frames]).to.deep.equal([3, 0]);
  });

  it('tears down all above a step that has had enough but goes on itself', () => {
    const feeds = new Subject<{ x: number[] }>();
    let tornDown = 0;
    const counting: Middleware = (step) => (frames$) =>
      frames$.pipe(
        step,
        finalize(() => tornDown++),
      );
    const use = [only('neg_1000', (step) => (frames$) => frames$.pipe(step, take(1), concatWith(NEVER))), counting];
    const subscription = feeds.pipe(run(chain(2_000), { level: 'none', use })).subscribe();
    feeds.next({ x: [1] });
    expect([feeds.observed, tornDown]).to.deep.equal([false, 1_000]);
    subscription.unsubscribe();
    expect([tornDown, liveMemory().frames]).to.deep.equal([2_000, 0]);
  });

  for (const compose of ['segments', 'separate'] as const)
    it(`joins a fan of ${some.toLocaleString('en')} branches, ${compose}`, () => {
      const fan = graph({ x: input([1]) }, ({ x }) => {
        let layer: GraphSymbol[] = Array.from({ length: some }, () => neg(x));
        while (layer.length > 1)
          layer = Array.from({ length: Math.ceil(layer.length / 2) }, (_, k) =>
            2 * k + 1 < layer.length ? add(layer[2 * k], layer[2 * k + 1]) : layer[2 * k],
          );
        return { y: layer[0] };
      });
      const seen: unknown[] = [];
      of({ x: [1] })
        .pipe(run(fan, { level: 'none', compose }))
        .subscribe(({ y }) => seen.push(y.toArray()));
      expect(seen).to.deep.equal([[-some]]);
    });

  it(`concatenates ${some.toLocaleString('en')} branches in one node`, () => {
    const fan = graph({ x: input([1]) }, ({ x }) => ({
      y: concat(
        Array.from({ length: some }, () => neg(x)),
        { axis: 0 },
      ),
    }));
    const seen: unknown[] = [];
    of({ x: [1] })
      .pipe(run(fan, { level: 'none' }))
      .subscribe(({ y }) => seen.push(y.size));
    expect(seen).to.deep.equal([some]);
  });
});
