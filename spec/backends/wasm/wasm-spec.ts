/** @file The wasm backend from outside: its options, what it says of itself, and its end. */
import { expect } from 'chai';
import { queueScheduler, Subject } from 'rxjs';
import {
  EinstreamError,
  evaluate,
  evaluateSync,
  exp,
  graph,
  input,
  live,
  mul,
  run,
  summarize,
  sum,
  tensor,
  transpose,
  wasm,
  type Backend,
} from '../../../src/index.js';
import { hasRelaxedSimd } from '../../../src/backends/wasm/probe.js';
import { liveMemory } from '../../../src/run/index.js';
import { collected } from '../../support/collect.js';
import { thrownBy } from '../../support/thrownBy.js';
import { watch } from '../../support/watch.js';
import { placed } from '../../support/wasmKit.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: exp(mul(x, 2)), s: sum(x) }));

const codeOf = (made: Promise<unknown>): Promise<string> =>
  made.then(
    () => 'a value',
    (error: unknown) => (error instanceof EinstreamError ? error.code : String(error)),
  );

describe('wasm()', () => {
  it('rejects options that it does not have, or outside their range', async () => {
    const wrong: readonly unknown[] = [null, 1, 'x', { memorylimit: 2 ** 20 }, { memoryLimit: '65536' }, { memoryLimit: 65535 }, { memoryLimit: 2 ** 32 - 65535 }, { memoryLimit: 2 ** 32 }, { memoryLimit: 100000.5 }, { memoryLimit: NaN }, { memoryLimit: Infinity }, { memoryLimit: -65536 }, { cacheSize: -1 }, { cacheSize: 0.5 }, { cacheSize: '1' }, { deterministic: 1 }, { deterministic: null }, { threads: 0 }, { threads: 65 }, { threads: 1.5 }, { threads: '2' }, { threads: null }]; // prettier-ignore
    for (const options of wrong) expect(await codeOf(wasm(options as object)), JSON.stringify(options)).to.equal('E_ARGUMENT');
  });

  it('takes each option at its ends, and none', async () => {
    for (const options of [
      undefined,
      {},
      { memoryLimit: 65536 },
      { memoryLimit: 2 ** 32 - 65536 },
      { cacheSize: 0 },
      { deterministic: true },
    ]) {
      const backend = await wasm(options);
      expect(evaluateSync(g, { x: [0, 0] }, { backend }).y.toArray()).to.deep.equal([1, 1]);
      await backend.close();
    }
  });

  it('has capabilities of plain data that nobody changes: synchronous, one thread, all that is computed (F087)', async () => {
    const { capabilities, name } = await wasm({ memoryLimit: 2 ** 20 });
    expect(JSON.parse(JSON.stringify(capabilities))).to.deep.equal(capabilities);
    expect(Object.isFrozen(capabilities)).to.equal(true);
    expect(capabilities).to.deep.include({
      name,
      maxTensorBytes: 2 ** 20,
      dtypes: ['bool', 'int32', 'float32', 'float64'],
      asynchronous: false,
    });
    expect(capabilities.remarks).to.include('one thread computes');
    expect(summarize(capabilities)).to.match(/SIMDAcceleration[^]*1 MiB a tensor/);
  });

  it('leaves relaxed SIMD alone when results must be the same everywhere, and says so', async () => {
    const [free, bound] = [(await wasm()).capabilities, (await wasm({ deterministic: true })).capabilities];
    expect(bound.remarks.join()).to.match(/rounds twice/);
    expect(/rounds twice/.test(free.remarks.join())).to.equal(!hasRelaxedSimd());
  });

  it('uploads a tensor once, by identity, and again after the copy was released', async () => {
    const backend = await wasm({ memoryLimit: 2 ** 20 });
    const host = transpose(tensor([[1, 2], [3, 4]])); // prettier-ignore
    const copy = backend.upload(host);
    expect(copy.toArray()).to.deep.equal([[1, 3], [2, 4]]); // prettier-ignore
    expect([
      backend.upload(host) === copy,
      backend.upload(copy) === copy,
      backend.owns!(copy),
      backend.owns!(host),
    ]).to.deep.equal([true, true, true, false]);
    backend.release!(copy);
    expect(backend.upload(host).toArray()).to.deep.equal([[1, 3], [2, 4]]); // prettier-ignore
  });
});

describe('a wasm backend that was closed', () => {
  const opened = async (): Promise<Backend> => {
    const backend = await wasm({ memoryLimit: 2 ** 20 });
    evaluateSync(g, { x: [1, 2] }, { backend });
    return backend;
  };

  it('refuses every use with E_BACKEND, and a second close is none', async () => {
    const backend = await opened();
    const mine = placed(backend, [2], [1, 2]);
    const x$ = new Subject<number[]>();
    const seen = watch(live(g, { x: x$ }, { backend, scheduler: queueScheduler }));
    x$.next([0, 0]);
    await backend.close();
    await backend.close();
    const uses: readonly (() => unknown)[] = [
      () => backend.allocate([1], 'float32'),
      () => backend.upload(tensor([1])),
      () => backend.owns!(mine),
      () => backend.compile(undefined as never),
      () => evaluateSync(g, { x: [1, 2] }, { backend }),
      () => evaluateSync(g, { x: [1, 2, 3] }, { backend }),
      () => evaluateSync(g, { x: mine }, { backend }),
      () =>
        evaluateSync(
          graph({ x: input([2]) }, ({ x }) => ({ y: transpose(x) })),
          { x: [1, 2] },
          { backend },
        ),
    ];
    for (const use of uses) expect(thrownBy(use).code, use.toString()).to.equal('E_BACKEND');
    expect(await codeOf(evaluate(g, { x: [1, 2] }, { backend }))).to.equal('E_BACKEND');
    const late = watch(live(g, { x: x$ }, { backend, scheduler: queueScheduler }));
    x$.next([1, 2]);
    expect([seen.values.length, late.values.length]).to.deep.equal([1, 0]);
    for (const { error } of [seen, late]) expect(error).to.have.property('code', 'E_BACKEND');
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('ends a stream that is open with E_BACKEND at its next feed', async () => {
    const backend = await opened();
    const feeds$ = new Subject<{ x: number[] }>();
    const seen = watch(feeds$.pipe(run(g, { backend })));
    feeds$.next({ x: [0, 0] });
    await backend.close();
    feeds$.next({ x: [0, 0] });
    expect(seen.values.map(({ y }) => y.toArray())).to.deep.equal([[1, 1]]);
    expect((seen.error as EinstreamError).code).to.equal('E_BACKEND');
    backend.release!(placed(await opened(), [1], [1]));
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('keeps nothing of its memory alive: neither by itself, nor by graphs that ran on it', async () => {
    const kept: unknown[] = [];
    const buffers: WeakRef<ArrayBufferLike>[] = [];
    await (async () => {
      const closed = await wasm({ memoryLimit: 2 ** 20 });
      evaluateSync(
        graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) })),
        { x: [1, 2] },
        { backend: closed },
      );
      buffers.push(new WeakRef(closed.allocate([1], 'float32').data.buffer));
      await closed.close();
      kept.push(closed);
      const dropped = await wasm({ memoryLimit: 2 ** 20 });
      evaluateSync(g, { x: [1, 2] }, { backend: dropped });
      buffers.push(new WeakRef(dropped.allocate([1], 'float32').data.buffer));
      await dropped.close();
    })();
    await collected();
    await collected();
    expect(buffers.map((each) => each.deref())).to.deep.equal([undefined, undefined]);
    expect(kept).to.have.length(1);
  });
});
