/**
 * @file Memory of runs: buffers and kernels are back where they were, whatever became of the run (B06).
 */
import { expect } from 'chai';
import {
  bufferCount,
  catchError,
  concat,
  firstValueFrom,
  from,
  ignoreElements,
  map,
  NEVER,
  of,
  queueScheduler,
  Subject,
  take,
  throwError,
  timeout,
  toArray,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { js, type Backend, type Kernel } from '../../src/backends/index.js';
import { graph, input, named, param } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { add, mul } from '../../src/ops/binary/index.js';
import { einsum } from '../../src/ops/einsum/einsum.js';
import { take as gather } from '../../src/ops/movement/index.js';
import { sum } from '../../src/ops/reduce/index.js';
import { exp } from '../../src/ops/unary/index.js';
import { evaluate, evaluateSync, live, liveMemory, run, type RunOptions } from '../../src/run/index.js';
import { tensor } from '../../src/tensor/create.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { byHand } from '../support/byHandBackend.js';
import { reachable } from '../support/collect.js';
import { propertyRuns } from '../support/property.js';
import { watch } from '../support/watch.js';

const HOME = { frames: 0, bytes: 0 };
const RUNS = propertyRuns(10_000, 10_000, 100_000);

/** Intermediate values of several sizes, one of them kept alive by a view, and a param. */
const g = graph({ x: input(['n', 3]), w: param(tensor([[1], [2], [3]])) }, ({ x, w }) => {
  const h = named('h', exp(mul(x, 0.1)));
  return { y: add(einsum('ni,io->no', h, w), sum(h)), s: sum(mul(h, h), { axis: 0 }) };
}) as Graph;
const feed = (n = 2): { x: Tensor } => ({ x: tensor(new Float32Array(3 * n).fill(0.5), { shape: [n, 3] }) });
/** Fails in its second kernel, after memory was taken. */
const failing = graph({ x: input([3]), i: input([1], { dtype: 'int32' }) }, ({ x, i }) => ({
  y: sum(gather(exp(x), i)),
})) as Graph;
const outside = { x: [1, 2, 3], i: tensor([9], { dtype: 'int32' }) };

/** Kernels that were compiled and not yet disposed of, and kernels run after their disposal. */
function counting(inner: Backend = js()): {
  readonly backend: Backend;
  readonly kernels: () => number;
  readonly misused: () => number;
} {
  let [kernels, misused] = [0, 0];
  const compile = (ir: Parameters<Backend['compile']>[0]): Kernel => {
    const kernel = inner.compile(ir);
    let isLive = true;
    kernels++;
    return {
      run(inputs, outputs) {
        if (!isLive) misused++;
        return kernel.run(inputs, outputs);
      },
      dispose() {
        if (!isLive) misused++;
        isLive = false;
        kernels--;
        kernel.dispose();
      },
    };
  };
  return { backend: { ...inner, compile }, kernels: () => kernels, misused: () => misused };
}

describe(`buffers are home again (B06), over ${RUNS} runs`, function () {
  this.timeout(0);
  beforeEach(() => expect(liveMemory()).to.deep.equal(HOME));
  afterEach(() => expect(liveMemory()).to.deep.equal(HOME));

  it('while a frame is on its way they are counted', () => {
    let inside = HOME;
    of(feed())
      .pipe(run(g, { outputs: 'borrow' }))
      .subscribe(() => (inside = liveMemory()));
    expect(inside.frames).to.equal(1);
    expect(inside.bytes).to.be.greaterThan(0);
  });

  it('after success: of evaluateSync, run, borrowed outputs, kept values and separate steps', () => {
    const kinds: readonly RunOptions[] = [{}, { outputs: 'borrow' }, { keep: ['h'] }, { compose: 'separate' }, { level: 'none' }];
    for (let at = 0; at < RUNS; at++) {
      const options = kinds[at % kinds.length];
      if (at % 2 === 0)
        of(feed(1 + (at % 7)))
          .pipe(run(g, options))
          .subscribe();
      else evaluateSync(g, feed(1 + (at % 7)), { level: options.level });
    }
  });

  it('after an error in a kernel, in a feed, in the source and in the consumer’s operator', () => {
    for (let at = 0; at < RUNS; at++) {
      const streams = [
        () => of(outside).pipe(run(failing)),
        () => from([feed(), { x: [[1]] }]).pipe(run(g)),
        () =>
          concat(
            of(feed()),
            throwError(() => new Error('source')),
          ).pipe(run(g)),
        () => of(feed()).pipe(run(g, { use: [() => () => throwError(() => new Error('middleware'))] })),
      ];
      expect(watch(streams[at % streams.length]() as typeof NEVER).error, String(at)).not.to.equal(undefined);
    }
    expect(() => evaluateSync(failing, outside)).to.throw(/index/);
  });

  it('after unsubscribing: between feeds, inside next, and while a frame is held by middleware', () => {
    const holding: RunOptions = { use: [(step) => (frames$) => concat(frames$.pipe(step), NEVER)] };
    const parked: RunOptions = { use: [() => () => NEVER] };
    for (let at = 0; at < RUNS; at++) {
      const feeds$ = concat(of(feed(), feed()), NEVER);
      if (at % 3 === 0) feeds$.pipe(run(g, holding)).subscribe().unsubscribe();
      else if (at % 3 === 1) feeds$.pipe(run(g), take(1)).subscribe();
      else of(feed()).pipe(run(g, parked)).subscribe().unsubscribe();
    }
  });

  it('after a timeout, in virtual time', () => {
    const parked: RunOptions = { use: [(step) => (frames$) => concat(frames$.pipe(step), NEVER)] };
    for (let at = 0; at < RUNS / 100; at++) {
      const scheduler = new TestScheduler((actual, expected) => void expect(actual).to.deep.equal(expected));
      scheduler.run(({ cold, expectObservable }) => {
        const slow$ = cold('a 9ms b', { a: feed(), b: feed() }).pipe(run(g, parked), timeout({ each: 5 }), ignoreElements());
        expectObservable(slow$.pipe(catchError((error: unknown) => of((error as Error).name)))).toBe('5ms (t|)', {
          t: 'TimeoutError',
        });
      });
    }
  });

  it('after unsubscribing from a kernel that is still running: its buffers are lent to nobody', async () => {
    const { backend, waiting, finish } = byHand();
    const right = evaluateSync(g, feed())['y'].toArray();
    for (let at = 0; at < 200; at++) {
      const other = tensor(new Float32Array(6).fill(at), { shape: [2, 3] });
      const parked = of({ x: other }).pipe(run(g, { backend })).subscribe();
      expect(waiting()).to.be.greaterThan(0);
      parked.unsubscribe();
      expect(liveMemory()).to.deep.equal(HOME);
      const next = evaluate(g, feed(), { backend });
      await finish();
      expect((await next)['y'].toArray()).to.deep.equal(right);
    }
  });
});

describe('kernels are disposed of', function () {
  this.timeout(60_000);
  const shapes = 100;

  it('when their shapes were not met for long: 64 programs are kept for a graph (bug-072)', () => {
    const { backend, kernels } = counting();
    evaluateSync(g, feed(1), { backend });
    const each = kernels();
    for (let n = 1; n <= shapes; n++) evaluateSync(g, feed(n), { backend });
    expect(kernels()).to.equal(64 * each);
    for (let n = 1; n <= shapes; n++) evaluateSync(g, feed(n), { backend });
    expect(kernels()).to.equal(64 * each);
  });

  it('never while a subscription, a live graph or a frame still uses them', () => {
    const { backend, misused } = counting();
    const feeds$ = new Subject<ReturnType<typeof feed>>();
    const steady = watch(feeds$.pipe(run(g, { backend })));
    const x$ = new Subject<Tensor>();
    const alive = watch(live(g, { x: x$ }, { backend, scheduler: queueScheduler }));
    for (let round = 0; round < 3; round++) {
      feeds$.next(feed());
      x$.next(tensor(new Float32Array(6).fill(round), { shape: [2, 3] }));
      for (let n = 3; n <= 3 + 70; n++) {
        evaluateSync(g, feed(n), { backend });
        watch(live(g, { x: of(feed(n).x) }, { backend, scheduler: queueScheduler }));
      }
    }
    expect([steady.values.length, alive.values.length, misused()]).to.deep.equal([3, 3, 0]);
    expect(steady.values[2]['y'].toArray()).to.deep.equal(steady.values[0]['y'].toArray());
  });

  it('after the last frame that runs through them, where kernels are asynchronous', async () => {
    const { backend, finish, disposed, misused } = byHand();
    const all = Array.from({ length: 100 }, (_, at) => evaluate(g, feed(1 + at), { backend }));
    const gone = of(feed(500)).pipe(run(g, { backend })).subscribe();
    for (let n = 600; n < 700; n++) all.push(evaluate(g, feed(n), { backend }));
    gone.unsubscribe();
    expect(disposed()).to.equal(0);
    await finish();
    await Promise.all(all);
    expect(disposed()).to.be.greaterThan(100);
    expect(misused()).to.equal(0);
  });

  it('when a program cannot be finished: those that were made for it', () => {
    const { backend, kernels } = counting();
    let made = 0;
    const broken: Backend = {
      ...backend,
      compile(ir) {
        if (++made % 3 === 0) throw new Error('no more kernels');
        return backend.compile(ir);
      },
    };
    for (let at = 0; at < 10; at++)
      expect(() => evaluateSync(g, feed(), { backend: broken, level: 'none', fallback: 'never' })).to.throw(/no more kernels/);
    expect(kernels()).to.equal(0);
  });

  it('of js, from the cache of generated functions: any bound gives the same results', () => {
    const right = [1, 5, 9, 1].map((n) => evaluateSync(g, feed(n))['y'].toArray());
    for (const cacheSize of [0, 1, 3]) {
      const backend = js({ cacheSize });
      for (let n = 1; n < 40; n++) evaluateSync(g, feed(n), { backend });
      expect([1, 5, 9, 1].map((n) => evaluateSync(g, feed(n), { backend })['y'].toArray())).to.deep.equal(right);
    }
  });
});

describe('nothing is left behind', function () {
  this.timeout(0);
  const slack = 2 ** 20;

  it('by reading: n reads of an output hold no buffer (bug-070)', () => {
    const { y, s } = evaluateSync(g, feed(1000));
    const before = reachable();
    let sum = 0;
    for (let at = 0; at < 10_000; at++) sum += Number(y.data[at % 1000]) + (s.toArray() as number[])[0];
    expect(sum).to.be.greaterThan(0);
    const after = reachable();
    expect(after.buffers - before.buffers).to.be.lessThan(1024);
    expect(after.heap - before.heap).to.be.lessThan(slack);
  });

  it('by a set that does not divide into batches (bug-071)', async () => {
    const rows = Array.from({ length: 33 }, () => feed(1).x);
    const predict = () =>
      firstValueFrom(
        from(rows).pipe(
          bufferCount(32),
          map((batch) => ({ x: concatRows(batch) })),
          run(g),
          toArray(),
        ),
      );
    await predict();
    const before = reachable();
    for (let at = 0; at < 200; at++) expect(await predict()).to.have.length(2);
    const after = reachable();
    expect(liveMemory()).to.deep.equal(HOME);
    expect(after.buffers - before.buffers).to.be.lessThan(16 * 1024);
  });

  it('by many lengths: what is kept is bounded (bug-072)', () => {
    const backend = js({ cacheSize: 100 });
    const each = (from: number): void => {
      for (let n = from; n < from + 150; n++) evaluateSync(g, feed(n), { backend });
    };
    each(1);
    each(151);
    const before = reachable();
    each(301);
    each(451);
    const after = reachable();
    // 64 programs of somewhat longer feeds, and nothing for the others.
    expect(after.heap - before.heap).to.be.lessThan(slack);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 8 * 1000 * 3 * 4);
  });

  it('by backends that come and go: create, run, close, 50 times (bug-074)', async () => {
    const cycle = async (): Promise<void> => {
      const backend = js();
      await evaluate(g, feed(200), { backend });
      await evaluate(g, feed(300), { backend, keep: ['h'] });
      await backend.close();
    };
    for (let at = 0; at < 10; at++) await cycle();
    const before = reachable();
    for (let at = 0; at < 50; at++) await cycle();
    const after = reachable();
    expect(after.heap - before.heap).to.be.lessThan(slack);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 1024);
  });

  it('by graphs that come and go', () => {
    const once = (at: number): void => {
      const small = graph({ x: input([100]) }, ({ x }) => ({ y: mul(exp(x), at) }));
      evaluateSync(small, { x: new Float32Array(100) });
      watch(of({ x: new Float32Array(100) }).pipe(run(small)));
    };
    for (let at = 0; at < 500; at++) once(at);
    const before = reachable();
    for (let at = 0; at < 1000; at++) once(at);
    const after = reachable();
    expect(after.heap - before.heap).to.be.lessThan(2 * slack);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 1024);
  });
});

function concatRows(rows: readonly Tensor[]): Tensor {
  const data = new Float32Array(3 * rows.length);
  rows.forEach((row, at) => data.set(row.data as Float32Array, 3 * at));
  return tensor(data, { shape: [rows.length, 3] });
}
