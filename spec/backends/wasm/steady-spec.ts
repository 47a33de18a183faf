/** @file Memory of a wasm backend in the long run: flat, bounded, and home again after whatever went wrong. */
import { expect } from 'chai';
import { from, map, of, queueScheduler, Subject } from 'rxjs';
import {
  add,
  einsum,
  evaluateSync,
  exp,
  graph,
  input,
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
  type Tensor,
} from '../../../src/index.js';
import { liveMemory } from '../../../src/run/index.js';
import { numbers } from '../../bench/numbers.js';
import { tinyGraph } from '../../bench/workloads.js';
import { collected, reachable } from '../../support/collect.js';
import { moduleCounter } from '../../support/modulesMade.js';
import { isLarge, propertyRuns } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';
import { watch } from '../../support/watch.js';
import { wasmKit } from '../../support/wasmKit.js';

const modulesMade = moduleCounter();

const weights = (rows: number, columns: number) =>
  tensor(
    Float32Array.from({ length: rows * columns }, (_, k) => ((k * 5) % 11) / 10 - 0.5),
    { shape: [rows, columns] },
  );

/** 784 to 256 to 128 to 10, as digits are told apart. */
const mlp = graph(
  {
    x: input([64, 784]),
    w1: param(weights(784, 256)),
    w2: param(weights(256, 128)),
    w3: param(weights(128, 10)),
    b1: param(tensor(numbers(256, 3))),
    b2: param(tensor(numbers(128, 5))),
  },
  ({ x, w1, w2, w3, b1, b2 }) => {
    const h = relu(add(einsum('ni,ih->nh', x, w1), b1));
    return { y: softmax(einsum('nh,ho->no', relu(add(einsum('ni,ih->nh', h, w2), b2)), w3)) };
  },
) as Graph;

/** A small network whose batch is open. */
const network = graph({ x: input([null, 16]), v: param(weights(16, 24)), w: param(weights(24, 5)) }, ({ x, v, w }) => ({
  y: softmax(einsum('nh,ho->no', relu(add(einsum('ni,ih->nh', x, v), 0.1)), w)),
}));
const batch = (n: number) => ({ x: weights(n, 16) });

describe('a stream whose batch size changes with every frame', () => {
  it('holds no more memory after many frames than after one of each size', () => {
    const { backend, memory } = wasmKit();
    const order = Array.from({ length: propertyRuns(128, 640, 6_400) }, (_, k) => 1 + ((k * 37) % 64));
    const used: number[] = [];
    watch(
      from(order).pipe(
        map(batch),
        run(network, { backend, fallback: 'never' }),
        map(() => used.push(memory.used())),
      ),
    );
    expect(used).to.have.length(order.length);
    expect(used.at(-1)).to.equal(used[63]);
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

  it("is flat over thousands of structures, through a cache of 100: heap, array buffers, modules and the backend's own", async () => {
    const { backend, memory } = wasmKit({ cacheSize: 100, limit: 2 ** 22 });
    const made = modulesMade();
    const count = propertyRuns(30, 1_000, 10_000);
    const samples: { readonly used: number; readonly heap: number; readonly external: number }[] = [];
    for (let number = 0; number < count; number++) {
      evaluateSync(structure(number), { x: [1, 2, 3] }, { backend, fallback: 'never' });
      if ((number + 1) % (count / 5) !== 0) continue;
      await collected();
      const { heap, external } = reachable();
      samples.push({ used: memory.used(), heap, external });
    }
    // Code of the engine itself is compiled meanwhile, so growth counts from the middle on.
    const [, , middle, , last] = samples;
    const growth = (what: keyof typeof middle) => last[what] - middle[what];
    console.log(
      `      ${made()} modules; from structure ${(3 * count) / 5} to ${count}: heap ${growth('heap')}, external ${growth('external')}, own ${growth('used')} bytes`,
    );
    expect(made()).to.be.at.least(count);
    expect(growth('used')).to.be.at.most(4096);
    expect(growth('heap')).to.be.at.most(2 ** 20);
    expect(growth('external')).to.be.at.most(2 ** 18);
  });

  it('is flat over shapes without any collection: what a program held is freed when the program goes', () => {
    const { backend, memory } = wasmKit();
    const each = (n: number): void =>
      void watch(of(batch(n)).pipe(run(network, { backend, outputs: n % 2 === 0 ? 'borrow' : 'copy' })));
    const count = propertyRuns(80, 150, 150);
    for (let n = 1; n <= count; n++) each(n);
    const used = memory.used();
    for (let round = 0; round < propertyRuns(1, 3, 3); round++) for (let n = 1; n <= count; n++) each(n);
    expect(memory.used()).to.equal(used);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  const frames: readonly (readonly [what: string, made: Graph, feed: Tensor, few: number, many: number, most: number])[] = [
    ['the tiny graph', tinyGraph(), tensor(numbers(16, 1)), 5_000, 100_000, 1_000_000],
    ['a network on batches of 64', mlp, tensor(numbers(64 * 784, 1), { shape: [64, 784] }), 20, 1_000, 10_000],
  ];
  for (const [what, made, feed, few, many, most] of frames) {
    for (const outputs of isLarge() ? (['copy', 'borrow'] as const) : (['borrow'] as const)) {
      it(`is flat over frames of ${what}, heap and WebAssembly memory (outputs: ${outputs})`, async () => {
        const { backend, memory } = wasmKit();
        const count = propertyRuns(few, many, most);
        const feeds$ = new Subject<{ x: Tensor }>();
        let seen = 0;
        const alive = feeds$.pipe(run(made, { backend, outputs, fallback: 'never' })).subscribe(() => seen++);
        const push = (frames: number): void => {
          for (let k = 0; k < frames; k++) feeds$.next({ x: feed });
        };
        push(Math.ceil(count / 5));
        await collected();
        const [used, before] = [memory.used(), reachable()];
        push(count);
        await collected();
        const after = reachable();
        alive.unsubscribe();
        console.log(
          `        ${count} frames: heap ${after.heap - before.heap}, external ${after.external - before.external} bytes more`,
        );
        expect(seen).to.equal(count + Math.ceil(count / 5));
        expect(memory.used()).to.equal(used);
        expect(after.external - before.external).to.be.at.most(2 ** 14);
        expect(after.heap - before.heap).to.be.at.most(2 ** 18);
      });
    }
  }
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
