/** @file The guard of code that counts on inputs: what a miss costs, when it gives up, and what goes with it. */
import { expect } from 'chai';
import { from } from 'rxjs';
import {
  add,
  EinstreamError,
  evaluateSync,
  exp,
  graph,
  input,
  jit,
  js,
  matmul,
  mul,
  param,
  relu,
  run,
  tensor,
  type Backend,
  type Diagnostic,
  type Feeds,
  type Graph,
  type JitConfig,
  type Tensor,
} from '../../../src/index.js';
import { outOfMemory } from '../../../src/errors/index.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { codeKit } from '../../support/codeKit.js';
import { BEFORE, fed, layer, many, scene, TRIED, W, type Scene } from '../../support/tier-scene.js';
import { copiedBytes, wasmKit } from '../../support/wasmKit.js';
import { watch } from '../../support/watch.js';

const other = (n: number): Feeds => ({ ...fed(n), s: [1, n] });

/** A scene in which two inputs are constants of the code. */
function folded(config: JitConfig = {}): Scene {
  const made = scene(layer, { config });
  expect(made.runs(20)).to.deep.equal([...TRIED, 1, 1]);
  return made;
}

describe('the guard of jit (F040)', () => {
  it('lets as many runs with other inputs pass as it is told: they run the code without constants', () => {
    const { runs, backend } = folded({ deoptimizationThreshold: 3 });
    expect([...runs(1, other), ...runs(5), ...runs(1, other), ...runs(5)]).to.deep.equal([2, ...many(5, 1), 2, ...many(5, 1)]);
    expect(backend.stats().deoptimizations).to.equal(0);
    expect([...runs(1, other), ...runs(20)]).to.deep.equal(many(21, 2));
    expect(backend.stats()).to.include({ deoptimizations: 1, compilations: 3 });
  });

  it('keeps the code for ever where it may not deoptimise', () => {
    const { runs, backend } = folded({ deoptimization: false });
    expect([...runs(50, other), ...runs(5)]).to.deep.equal([...many(50, 2), ...many(5, 1)]);
    expect(backend.stats()).to.include({ deoptimizations: 0, compilations: 3 });
  });

  it('guards code on trial as well', () => {
    const { runs, backend, kit } = scene();
    expect(runs(12)).to.deep.equal([...BEFORE, 1, 1]);
    expect(runs(40, other)).to.deep.equal(many(40, 2));
    expect(backend.stats()).to.include({ deoptimizations: 1, compilations: 3 });
    expect(kit.alive()).to.equal(2);
  });

  it('counts runs with other inputs against code on trial', () => {
    const { runs, backend } = scene(layer, { config: { deoptimization: false } });
    expect(runs(11)).to.deep.equal([...BEFORE, 1]);
    expect([...runs(3, other), ...runs(20)], 'compared, and 30 ms all the same').to.deep.equal(many(23, 2));
    expect(backend.stats()).to.include({ deoptimizations: 0, compilations: 3 });
  });

  it('takes a param for what it is: the graph’s own while nobody feeds it', () => {
    const declared = { x: input(['n', 2]), w: param(tensor(W)), s: param(tensor([2, -3])), b: input([2]) };
    const g = graph(declared, ({ x, w, s, b }) => ({ y: relu(add(matmul(x, mul(w, s)), b)) })) as Graph;
    const unfed = (n: number): Feeds => ({ x: [[n, 1]], b: [n, 1] });
    const { runs, backend } = scene(g);
    expect(runs(20, unfed)).to.deep.equal([...TRIED, 1, 1]);
    expect(runs(10, (n) => ({ ...unfed(n), s: [n, 1] }))).to.deep.equal(many(10, 2));
    expect(backend.stats()).to.include({ deoptimizations: 1 });
    // Fed with the same each time, it stays the same.
    expect(scene(g).runs(20, (n) => ({ ...unfed(n), s: [4, 5] }))).to.deep.equal([...TRIED, 1, 1]);
  });

  it('has code of its own for each shape that has some, and goes when shapes vary too much', () => {
    const { runs, backend, kit } = scene(layer, { config: { maxSpecializations: 2 } });
    const rows =
      (count: number) =>
      (n: number): Feeds => ({ ...fed(n), x: Array.from({ length: count }, () => [n, 1]) });
    for (const count of [1, 2]) expect(runs(20, rows(count))).to.deep.equal([...TRIED, 1, 1]);
    expect(kit.alive()).to.equal(2 * (2 + 1));
    expect(backend.stats()).to.include({ compilations: 6, deoptimizations: 0 });
    expect(runs(20, rows(3))).to.deep.equal([0, 0, ...many(18, 4)]);
    expect(kit.alive()).to.equal(4);
    for (const count of [1, 2, 3]) expect(runs(20, rows(count))).to.deep.equal(many(20, 4));
    expect(backend.stats()).to.include({ compilations: 9, deoptimizations: 1 });
  });

  it('is cleared with all the rest, and leaves the cache as one entry', () => {
    const { runs, backend, kit } = folded({ maxCacheSize: 1 });
    expect(kit.alive()).to.equal(3);
    const second = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
    for (let n = 0; n < 3; n++) evaluateSync(second, { x: [n, 1] }, { backend });
    expect(kit.alive(), 'the other graph’s').to.equal(1);
    kit.ran();
    // Levels are decided for good; constants are tried again.
    expect(runs(20)).to.deep.equal([0, 0, ...many(4, 2), ...many(4, 1), ...many(4, 2), ...many(6, 1)]);
    backend.clear();
    expect(kit.alive()).to.equal(0);
    expect(runs(20)).to.deep.equal([...TRIED, 1, 1]);
  });

  it('serves callers that feed different things: each gets its own answer', () => {
    const kit = codeKit({ cost: () => 15 });
    const backend = jit(kit.backend, { hotPathThreshold: 2, profilingWindow: 4, clock: kit.clock });
    const answers = (feeds: readonly Feeds[]): readonly Tensor[] => {
      const seen = watch(from(feeds).pipe(run(layer, { backend })));
      expect(seen.error).to.equal(undefined);
      return seen.values.map(({ y }) => y);
    };
    const feeds = Array.from({ length: 20 }, (_, n) => fed(n));
    const turns = feeds.flatMap((each, n) => [each, other(n)]);
    for (const list of [feeds, feeds, turns])
      answers(list).forEach((y, n) =>
        expect(y.toArray()).to.deep.equal(evaluateSync(layer, list[n], { backend: js() })['y'].toArray()),
      );
    expect(backend.stats()).to.include({ compilations: 3, deoptimizations: 1 });
  });

  it('leaves inputs where they are that became constants: wasm copies none of them, and gives the same numbers', () => {
    const { backend: inner } = wasmKit();
    const kit = codeKit({ cost: () => 15, inner });
    const backend = jit(kit.backend, { hotPathThreshold: 2, profilingWindow: 4, clock: kit.clock });
    const w = tensor(
      Float32Array.from({ length: 64 * 64 }, (_, k) => Math.sin(k)),
      { shape: [64, 64] },
    );
    const wide = graph({ x: input(['n', 64]), w: input([64, 64]), s: input([64]) }, ({ x, w: weights, s }) => ({
      y: relu(matmul(x, mul(weights, s))),
    })) as Graph;
    const s = tensor(Float32Array.from({ length: 64 }, (_, k) => 1 + k / 64));
    const frame = (n: number): number => {
      const feeds = { x: tensor(new Float32Array(64).fill(n), { shape: [1, 64] }), w, s };
      let got: Tensor | undefined;
      const bytes = copiedBytes(() => void (got = evaluateSync(wide, feeds, { backend })['y']));
      expect(differenceOf(got!, evaluateSync(wide, feeds, { backend: js() })['y'], 1e-4)).to.equal(undefined);
      return bytes;
    };
    const bytes = Array.from({ length: 20 }, (_, n) => frame(n));
    const row = 64 * 4;
    expect(bytes.at(5), 'the row, the weights, their scale, and the answer').to.equal(row + 64 * row + row + row);
    expect(bytes.at(-1), 'the row and the answer').to.equal(2 * row);
  });

  it('stays as it is where the code with constants does not compile, and says so', () => {
    const inner = js();
    let isBroken = false;
    const compile: Backend['compile'] = (ir) => {
      if (isBroken) throw new Error('out of registers');
      return inner.compile(ir);
    };
    // Another name than that of js, which nothing else could stand in for.
    const kit = codeKit({ cost: () => 15, inner: { ...inner, compile } });
    const backend = jit(kit.backend, { hotPathThreshold: 2, profilingWindow: 4, clock: kit.clock });
    const heard: Diagnostic[] = [];
    const onDiagnostic = (diagnostic: Diagnostic): void => void heard.push(diagnostic);
    const answers = Array.from({ length: 40 }, (_, n) => {
      isBroken = n >= 10;
      return evaluateSync(layer, fed(n), { backend, onDiagnostic, fallback: 'never' })['y'].toArray();
    });
    answers.forEach((y, n) => expect(y).to.deep.equal(evaluateSync(layer, fed(n), { backend: inner })['y'].toArray()));
    expect(backend.stats()).to.include({ compilations: 2, deoptimizations: 0, cacheHits: 37 });
    expect(heard[0].message).to.match(/kit cannot compile this hot path: inputs that never change are no constants of it/);
  });

  it('interprets the run for which code with constants finds no room, and does without them from then on', () => {
    const { backend: inner } = wasmKit();
    let isFull = false;
    const allocate: Backend['allocate'] = (shape, dtype) => {
      if (isFull) throw new EinstreamError(outOfMemory(1, 0));
      return inner.allocate(shape, dtype);
    };
    // Without placing, all buffers are allocated one by one.
    const kit = codeKit({ cost: () => 15, inner: { ...inner, placing: undefined, allocate } });
    const backend = jit(kit.backend, { hotPathThreshold: 2, profilingWindow: 4, clock: kit.clock });
    const ran = Array.from({ length: 40 }, (_, n) => {
      isFull = n === 10;
      const { y } = evaluateSync(layer, fed(n), { backend });
      expect(differenceOf(y, evaluateSync(layer, fed(n), { backend: js() })['y'], 1e-5)).to.equal(undefined);
      return kit.ran();
    });
    expect(ran).to.deep.equal([...BEFORE, 0, ...many(29, 2)]);
    expect(backend.stats()).to.include({ compilations: 4, recompilations: 3, deoptimizations: 0 });
  });
});
