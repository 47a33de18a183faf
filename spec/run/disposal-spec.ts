/** @file What is given back twice, used afterwards, or while it runs, and views whose base is gone: typed, and counted exactly (R7). */
import { expect } from 'chai';
import { of } from 'rxjs';
import {
  at,
  evaluate,
  evaluateSync,
  executorPool,
  graph,
  input,
  js,
  liveMemory,
  mul,
  range,
  run,
  slice,
  transpose,
  wasm,
  type Backend,
  type EinstreamError,
  type Tensor,
} from '../../src/index.js';
import { buildPoolWorker } from '../support/builtPool.js';
import { byHand } from '../support/byHandBackend.js';
import { collected } from '../support/collect.js';
import { countedKernels, workload, workloadFeed } from '../support/memoryWorkload.js';
import { propertyRuns } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';
import { watch } from '../support/watch.js';
import { wasmKit } from '../support/wasmKit.js';

const doubled = graph({ x: input(['n', 3]) }, ({ x }) => ({ y: mul(x, 2) }));
const feed = { x: [[1, 2, 3], [4, 5, 6]] }; // prettier-ignore
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: EinstreamError) => error.code,
  );

const BACKENDS: Readonly<Record<string, () => Promise<Backend>>> = {
  js: () => Promise.resolve(js()),
  'js, interpreted': () => Promise.resolve(js({ kernels: 'interpret' })),
  wasm: () => wasm(),
  'wasm on two threads': () => wasm({ threads: 2 }),
};

describe('what is given back (R7)', function () {
  this.timeout(60_000);

  for (const [name, make] of Object.entries(BACKENDS)) {
    it(`twice, is given back once: a backend ${name}`, async () => {
      const backend = await make();
      await evaluate(doubled, feed, { backend });
      await Promise.all([backend.close(), backend.close()]);
      await backend.close();
    });

    it(`and then used, answers rightly or with E_BACKEND: a backend ${name}`, async () => {
      const backend = await make();
      const held = await evaluate(doubled, feed, { backend });
      await backend.close();
      // A call with a closed backend may throw at once.
      const again = async () => (await evaluate(doubled, feed, { backend, fallback: 'never' })).y.toArray();
      const answer = await again().catch(({ code }: EinstreamError) => code);
      // Nothing of `js` is ever given back: its memory is the heap's.
      expect(answer).to.deep.equal(name.startsWith('js') ? [[2, 4, 6], [8, 10, 12]] : 'E_BACKEND'); // prettier-ignore
      expect(held.y.toArray(), 'outputs are the consumer’s').to.deep.equal([[2, 4, 6], [8, 10, 12]]); // prettier-ignore
    });
  }

  it('while a run is on its way, is used to its end: a program that newer shapes have pushed out', async () => {
    const { backend, finish, disposed, misused } = byHand();
    const first = evaluate(workload, workloadFeed(1), { backend });
    const others = Array.from({ length: 80 }, (_, n) => evaluate(workload, workloadFeed(n + 2), { backend }));
    expect(disposed()).to.equal(0);
    await finish();
    const want = evaluateSync(workload, workloadFeed(1), { backend: js() });
    expect((await first)['y'].toArray()).to.deep.equal(want['y'].toArray());
    await Promise.all(others);
    expect([disposed() > 0, misused()]).to.deep.equal([true, 0]);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('is counted exactly: each kernel is disposed of once, none too early', () => {
    const { backend, kernels, misused } = countedKernels();
    for (let round = 0; round < propertyRuns(2, 3, 3); round++)
      for (let n = 1; n <= propertyRuns(70, 100, 100); n++) evaluateSync(workload, workloadFeed(n), { backend });
    evaluateSync(workload, workloadFeed(1), { backend });
    const each = kernels() / 64;
    expect([Number.isInteger(each), misused()]).to.deep.equal([true, 0]);
  });

  it('twice, is given back once: a pool, which answers E_ABORT from then on', async () => {
    buildPoolWorker();
    const pool = await executorPool({ workers: 1 });
    const running = codeOf(pool.evaluate(doubled, { x: feed.x }));
    await Promise.all([pool.close(), pool.close(), pool.close({ mode: 'abort' })]);
    expect(await running).to.be.oneOf(['none', 'E_ABORT']);
    expect(await codeOf(pool.evaluate(doubled, feed))).to.equal('E_ABORT');
    const { submitted, successful, cancelled, failed, inFlight } = pool.stats();
    expect([successful + cancelled + failed, inFlight]).to.deep.equal([submitted, 0]);
  });
});

describe('a view (R7)', () => {
  it('outlives the tensor that it is a view of', async () => {
    const view = (() => slice(transpose(evaluateSync(doubled, feed).y), at(1), range(0, 2)))();
    await collected();
    expect(view.toArray()).to.deep.equal([4, 10]);
  });

  for (const [name, backend] of [
    ['js', () => js()],
    ['wasm', () => wasmKit().backend],
  ] as const)
    // prettier-ignore
    it(`of what was lent is stale when the loan is over, and so is a view of the view: ${name}`, () => {
      const kept: Tensor[] = [];
      const during: unknown[] = [];
      of(feed, feed)
        .pipe(run(doubled, { backend: backend(), outputs: 'borrow' }))
        .subscribe(({ y }) => {
          const view = slice(y, at(0));
          kept.push(y, view, slice(view, range(1, null)));
          during.push(kept.at(-1)!.toArray());
        });
      expect(during).to.deep.equal([[4, 6], [4, 6]]); // prettier-ignore
      expect(kept.map((each) => thrownBy(() => each.data).code)).to.deep.equal(kept.map(() => 'E_STALE'));
      // Nor can it be fed again.
      const fed = watch(of({ x: kept[0] }).pipe(run(doubled, { backend: js() })));
      expect((fed.error as EinstreamError).code).to.equal('E_STALE');
    });

  it('of memory that its backend freed is stale; freeing it twice frees it once', () => {
    const { backend, memory } = wasmKit();
    const [base, neighbour] = [backend.allocate([2, 3], 'float32'), backend.allocate([2, 3], 'float32')];
    neighbour.data.fill(7 as never);
    const view = slice(base, at(1));
    const used = memory.used();
    backend.release!(base);
    const once = memory.used();
    backend.release!(base);
    expect([once < used, memory.used()]).to.deep.equal([true, once]);
    for (const gone of [base, view]) expect(thrownBy(() => gone.data).code).to.equal('E_STALE');
    expect(neighbour.toArray()).to.deep.equal([[7, 7, 7], [7, 7, 7]]); // prettier-ignore
  });
});
