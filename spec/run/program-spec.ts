/** @file Programs come and go by the shapes of feeds: their kernels are disposed of, in time and not before. */
import { expect } from 'chai';
import { of, queueScheduler, Subject } from 'rxjs';
import { js, type Backend } from '../../src/backends/index.js';
import { evaluate, evaluateSync, live, run } from '../../src/run/index.js';
import { tensor } from '../../src/tensor/create.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { byHand } from '../support/byHandBackend.js';
import { countedKernels as counting, workload as g, workloadFeed as feed } from '../support/memoryWorkload.js';
import { propertyRuns } from '../support/property.js';
import { watch } from '../support/watch.js';

describe('kernels are disposed of', function () {
  this.timeout(60_000);
  const shapes = propertyRuns(70, 100, 100);

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
