/** @file Buffers of runs are home again, whatever became of the run (B06). */
import { expect } from 'chai';
import { catchError, concat, from, ignoreElements, NEVER, of, take, throwError, timeout } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { graph, input } from '../../src/graph/builder.js';
import { take as gather } from '../../src/ops/movement/index.js';
import { sum } from '../../src/ops/reduce/index.js';
import { exp } from '../../src/ops/unary/index.js';
import { evaluate, evaluateSync, liveMemory, run, type RunOptions } from '../../src/run/index.js';
import { tensor } from '../../src/tensor/create.js';
import { byHand } from '../support/byHandBackend.js';
import { workload as g, workloadFeed as feed } from '../support/memoryWorkload.js';
import { propertyRuns } from '../support/property.js';
import { watch } from '../support/watch.js';

const HOME = { frames: 0, bytes: 0 };
const RUNS = propertyRuns(2_000, 10_000, 100_000);

/** Fails in its second kernel, after memory was taken. */
const failing = graph({ x: input([3]), i: input([1], { dtype: 'int32' }) }, ({ x, i }) => ({ y: sum(gather(exp(x), i)) }));
const outside = { x: [1, 2, 3], i: tensor([9], { dtype: 'int32' }) };

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
