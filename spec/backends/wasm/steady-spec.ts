/** @file Memory of a wasm backend in the long run: flat, bounded, and home again after whatever went wrong. */
import { expect } from 'chai';
import { from, map, of, queueScheduler, range, Subject } from 'rxjs';
import {
  add,
  einsum,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  live,
  mul,
  param,
  relu,
  run,
  softmax,
  sub,
  sum,
  tensor,
  type EinstreamError,
  type Graph,
  type GraphSymbol,
} from '../../../src/index.js';
import { liveMemory } from '../../../src/run/index.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { collected } from '../../support/collect.js';
import { modulesMade } from '../../support/modulesMade.js';
import { propertyRuns } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';
import { watch } from '../../support/watch.js';
import { placed, wasmKit } from '../../support/wasmKit.js';

const weights = (rows: number, columns: number) =>
  tensor(
    Float32Array.from({ length: rows * columns }, (_, k) => ((k * 5) % 11) / 10 - 0.5),
    { shape: [rows, columns] },
  );

/** A small network whose batch is open. */
const network = graph({ x: input([null, 16]), v: param(weights(16, 24)), w: param(weights(24, 5)) }, ({ x, v, w }) => ({
  y: softmax(einsum('nh,ho->no', relu(add(einsum('ni,ih->nh', x, v), 0.1)), w)),
}));
const batch = (n: number) => ({ x: weights(n, 16) });

describe('a stream whose batch size changes with every frame', () => {
  it('compiles nothing after the first few frames, and its memory is bounded', function () {
    this.timeout(20_000);
    const { backend, memory } = wasmKit();
    const order = Array.from({ length: 640 }, (_, k) => 1 + ((k * 37) % 64));
    const made = modulesMade();
    const counts: number[] = [];
    const used: number[] = [];
    const { values } = watch(
      from(order).pipe(
        map(batch),
        run(network, { backend, fallback: 'never' }),
        map(({ y }) => {
          counts.push(made());
          used.push(memory.used());
          return y;
        }),
      ),
    );
    console.log(`      ${counts.at(-1)} modules, ${counts[9]} of them in the first ten frames; ${used.at(-1)} bytes in use`);
    expect(counts.at(-1)).to.equal(counts[63]);
    expect(counts[63] - counts[9], 'a batch of one may be of another structure').to.be.at.most(4);
    expect(used.at(-1)).to.equal(used[63]);
    for (const k of [0, 1, 63, 639]) {
      expect(differenceOf(values[k], evaluateSync(network, batch(order[k]), { backend: js() }).y, 1e-5)).to.equal(undefined);
    }
  });
});

/** A chain of ops that is another structure for every number. */
function structure(number: number): Graph {
  const steps: readonly ((x: GraphSymbol, k: number) => GraphSymbol)[] = [(x) => exp(x), (x) => relu(x), (x, k) => add(x, k), (x, k) => mul(x, k), (x, k) => sub(k, x)]; // prettier-ignore
  return graph({ x: input([3]) }, ({ x }) => {
    let y = mul(x, 1 + number / 7);
    for (let rest = number; rest > 0; rest = Math.floor(rest / steps.length)) y = steps[rest % steps.length](y, (rest % 13) / 8);
    return { y: add(y, sum(x)) };
  });
}

describe('wasm memory in the long run', function () {
  this.timeout(0);

  it('is flat over thousands of structures, through a small cache', async () => {
    const { backend, memory } = wasmKit({ cacheSize: 100, limit: 2 ** 22 });
    const made = modulesMade();
    const count = propertyRuns(300, 10_000, 10_000);
    const used: number[] = [];
    for (let number = 0; number < count; number++) {
      evaluateSync(structure(number), { x: [1, 2, 3] }, { backend, fallback: 'never' });
      if (number % 100 !== 99) continue;
      await collected();
      used.push(memory.used());
    }
    console.log(`      ${made()} modules; ${used[0]} bytes in use after 100 structures, ${used.at(-1)} after ${count}`);
    expect(made()).to.be.at.least(count);
    expect(used.at(-1)).to.be.at.most(used[0] + 4096);
  });

  it('is flat over shapes without any collection: what a program held is freed when the program goes', () => {
    const { backend, memory } = wasmKit();
    const each = (n: number): void =>
      void watch(of(batch(n)).pipe(run(network, { backend, outputs: n % 2 === 0 ? 'borrow' : 'copy' })));
    for (let n = 1; n <= 150; n++) each(n);
    const used = memory.used();
    for (let round = 0; round < 3; round++) for (let n = 1; n <= 150; n++) each(n);
    expect(memory.used()).to.equal(used);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('is flat over frames: nothing is allocated once a stream runs', () => {
    const { backend, memory } = wasmKit();
    const x = placed(backend, [4, 16], new Array<number>(64).fill(0.5));
    const frames = (count: number, outputs: 'copy' | 'borrow') => watch(range(0, count).pipe(map(() => ({ x })), run(network, { backend, outputs }))); // prettier-ignore
    for (const outputs of ['copy', 'borrow'] as const) {
      frames(10, outputs);
      const used = memory.used();
      frames(propertyRuns(2_000, 10_000, 100_000), outputs);
      expect(memory.used()).to.equal(used);
    }
  });
});

describe('a wasm backend without room', () => {
  const wide = graph({ x: input([null]) }, ({ x }) => ({ y: exp(x), z: add(exp(x), sum(x)) }));
  const limit = 2 ** 20;
  const floats = (n: number) => ({ x: new Float32Array(n).fill(1) });
  const fed = (n: number) => ({ x: tensor(floats(n).x) });

  it('refuses a feed or a result with E_OOM, goes home, and works afterwards', () => {
    const { backend } = wasmKit({ limit });
    const right = () => expect(evaluateSync(wide, fed(100), { backend }).z.data[99]).to.be.closeTo(Math.E + 100, 1e-4);
    right();
    for (const level of ['none', 'standard'] as const) {
      for (const n of [250_000, 150_000, 100_000]) {
        for (let time = 0; time < 5; time++) {
          const error = thrownBy(() => evaluateSync(wide, fed(n), { backend, level }));
          expect(error.code).to.equal('E_OOM');
          const seen = watch(of(fed(n)).pipe(run(wide, { backend, level })));
          expect((seen.error as EinstreamError).code).to.equal('E_OOM');
          right();
        }
        expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
      }
    }
  });

  it('has room for each of many shapes, though not for all at once: what waits for its next frame makes room', () => {
    const { backend, memory } = wasmKit({ limit });
    const x$ = new Subject<Float32Array>();
    const alive = watch(live(wide, { x: x$.pipe(map((x) => tensor(x))) }, { backend, scheduler: queueScheduler }));
    x$.next(floats(10_000).x);
    for (let round = 0; round < 3; round++) {
      for (const n of [50_000, 20_000, 40_000, 30_000, 45_000]) {
        expect(evaluateSync(wide, fed(n), { backend }).y.data[n - 1]).to.be.closeTo(Math.E, 1e-5);
        expect(watch(of(fed(n)).pipe(run(wide, { backend, outputs: 'borrow' }))).error).to.equal(undefined);
      }
      x$.next(new Float32Array(10_000 + round).fill(round));
    }
    expect(alive.values.length).to.equal(4);
    alive.unsubscribe();
    expect(memory.used()).to.be.below(limit);
  });

  it('refuses what could never fit before it begins: E_LIMIT, also beyond 2^31 bytes', () => {
    const { backend, memory } = wasmKit({ limit });
    const huge = graph({ x: input([null]) }, ({ x }) => ({ y: einsum('i,j->ij', x, x) }));
    const used = memory.used();
    for (const n of [600, 25_000, 40_000]) {
      const error = thrownBy(() => evaluateSync(huge, fed(n), { backend }));
      expect(error.code).to.equal('E_LIMIT');
      expect(error.message).to.match(/bounded size of tensors/);
    }
    expect(memory.used() - used).to.be.below(2048);
    expect(evaluateSync(huge, fed(2), { backend }).y.toArray()).to.deep.equal([[1, 1], [1, 1]]); // prettier-ignore
  });
});
