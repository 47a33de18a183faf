/** @file A backend around a backend: interpreted first, then code; the same values, and true counts. */
import { expect } from 'chai';
import { of, Subject } from 'rxjs';
import {
  add,
  clip,
  constant,
  einsum,
  evaluate,
  evaluateSync,
  exp,
  graph,
  input,
  jit,
  js,
  mul,
  nodeOf,
  relu,
  run,
  tanh,
  tensor,
  wasm,
  type DType,
  type Graph,
  type InputNode,
  type JitConfig,
  type JitStats,
  type Tensor,
} from '../../../src/index.js';
import { byHand } from '../../support/byHandBackend.js';
import { codeKit } from '../../support/codeKit.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';
import { watch } from '../../support/watch.js';

/** Three steps: one kernel where they are joined. */
const chain = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(tanh(exp(x))) })) as Graph;
const feeds = (n: number): { readonly x: Tensor } => ({ x: tensor([n / 8, -n / 16]) });

/** The dtype that the first input declares. */
const dtypeOf = (g: Graph): DType => (nodeOf(g, g.inputs[0]) as InputNode).dtype ?? 'float32';

/** Runs it so often, and says after which runs kernels of the kit had run. */
function runsWithCode(count: number, config: JitConfig): number[] {
  const kit = codeKit();
  const backend = jit(kit.backend, { clock: kit.clock, ...config });
  const withCode: number[] = [];
  for (let n = 1; n <= count; n++) {
    const { y } = evaluateSync(chain, feeds(n), { backend });
    expect(differentBits(y, evaluateSync(chain, feeds(n), { backend: js() })['y'])).to.equal(undefined);
    if (kit.ran() > 0) withCode.push(n);
  }
  return withCode;
}

describe('jit (F035)', () => {
  for (const threshold of [9, 10, 11])
    it(`interprets ${threshold} runs at a threshold of ${threshold}, then computes; no bit changes (J11)`, () => {
      expect(runsWithCode(12, { hotPathThreshold: threshold })).to.deep.equal([10, 11, 12].filter((n) => n > threshold));
    });

  it('interprets 10 runs by default, and one where it may', () => {
    expect(runsWithCode(12, {})).to.deep.equal([11, 12]);
    expect(runsWithCode(3, { hotPathThreshold: 1 })).to.deep.equal([2, 3]);
  });

  it('counts exactly (F041)', () => {
    const kit = codeKit();
    const backend = jit(kit.backend, { clock: kit.clock, adaptive: false });
    expect(backend.stats()).to.deep.equal({
      hotPathsDetected: 0,
      cacheHits: 0,
      cacheMisses: 0,
      cacheHitRate: 0,
      compilations: 0,
      recompilations: 0,
      deoptimizations: 0,
      avgCompilationMs: 0,
      timeSavedMs: 0,
    });
    of(...Array.from({ length: 9 }, (_, n) => feeds(n)))
      .pipe(run(chain, { backend }))
      .subscribe();
    expect(backend.stats()).to.deep.include({ hotPathsDetected: 0, cacheHits: 0, cacheMisses: 9 });
    evaluateSync(chain, feeds(1), { backend });
    expect(backend.stats()).to.deep.include({ hotPathsDetected: 1, cacheMisses: 10, compilations: 0 });
    of(feeds(1), feeds(2), feeds(3)).pipe(run(chain, { backend })).subscribe();
    // Three nodes are interpreted in 30 ms; their one kernel takes 4, in three runs.
    expect(backend.stats()).to.deep.equal({
      hotPathsDetected: 1,
      cacheHits: 2,
      cacheMisses: 11,
      cacheHitRate: 2 / 13,
      compilations: 1,
      recompilations: 0,
      deoptimizations: 0,
      avgCompilationMs: 7,
      timeSavedMs: 3 * 26,
    });
  });

  it('counts each graph and each shape by itself, and knows a graph again that is built anew (F038)', () => {
    const backend = jit(codeKit().backend, { hotPathThreshold: 2 });
    const alike = (k: number) => graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, k) }));
    for (const g of [alike(2), alike(3)])
      for (const x of [[1], [1, 2]]) {
        evaluateSync(g, { x }, { backend });
        evaluateSync(g, { x }, { backend });
      }
    expect(backend.stats()).to.include({ hotPathsDetected: 4, compilations: 0, cacheMisses: 8 });
    const [two, three] = [alike(2), alike(3)];
    for (let n = 0; n < 4; n++) {
      expect(evaluateSync(two, { x: [5] }, { backend }).y.toArray()).to.deep.equal([10]);
      expect(evaluateSync(three, { x: [5] }, { backend }).y.toArray()).to.deep.equal([15]);
    }
    expect(backend.stats()).to.include({ hotPathsDetected: 4, compilations: 2, cacheHits: 6 });
  });

  it('tells graphs apart that differ in a bit, a name or a parameter, whatever they have in common (F038)', () => {
    const backend = jit(codeKit().backend, { hotPathThreshold: 1, deoptimization: false });
    const one = (value: number): Tensor => tensor(new Float32Array([value]));
    const plus = (k: Tensor, key = 'y'): Graph =>
      graph({ x: input(['n']), k: constant(k) }, ({ x, k: c }) => ({ [key]: add(x, c) }));
    const clipped = (min: number): Graph => graph({ x: input(['n']) }, ({ x }) => ({ y: clip(x, { min, max: 1 }) }));
    const graphs = [
      ...[0, -0, 1, 1 + 2 ** -23].map((value) => plus(one(value))),
      plus(tensor(new Float64Array([1]))),
      plus(one(1), 'z'),
      plus(one(1), '__proto__'),
      clipped(0),
      clipped(-0),
      graph({ x: input(['n'], { dtype: 'float64' }) }, ({ x }) => ({ y: add(x, 1) })) as Graph,
    ];
    for (let time = 0; time < 4; time++)
      for (const g of graphs) {
        const x = tensor([-0, 0.5], { dtype: dtypeOf(g) });
        const [got, want] = [evaluateSync(g, { x }, { backend }), evaluateSync(g, { x }, { backend: js() })];
        expect(Object.keys(got)).to.deep.equal(Object.keys(want));
        for (const key of Object.keys(want)) expect(differentBits(got[key], want[key])).to.equal(undefined);
      }
    expect(backend.stats().compilations).to.equal(graphs.length);
  });

  it('uses the hot level for code: steps are joined that are interpreted one by one', () => {
    for (const [hotLevel, kernels] of [
      ['basic', 3],
      ['standard', 1],
      ['aggressive', 1],
    ] as const) {
      const kit = codeKit();
      const backend = jit(kit.backend, { hotPathThreshold: 1, hotLevel, adaptive: false });
      for (let n = 0; n < 2; n++) evaluateSync(chain, feeds(n), { backend });
      expect(kit.ran(), hotLevel).to.equal(kernels);
    }
  });

  it('begins at the initial level: with none, dead nodes are interpreted too', () => {
    const dead = graph({ x: input(['n']) }, ({ x }) => {
      exp(x);
      return { y: relu(x) };
    }) as Graph;
    const saved = (initialLevel: 'none' | 'basic'): number => {
      const kit = codeKit();
      const backend = jit(kit.backend, { hotPathThreshold: 1, initialLevel, adaptive: false, clock: kit.clock });
      for (let n = 0; n < 2; n++) evaluateSync(dead, feeds(n), { backend });
      return backend.stats().timeSavedMs;
    };
    expect([saved('none'), saved('basic')]).to.deep.equal([16, 6]);
  });

  it('compiles at once what would be interpreted for longer than that takes', () => {
    const kit = codeKit();
    const backend = jit(kit.backend);
    const product = graph({ x: input([64, 64]) }, ({ x }) => ({ y: einsum('ij,jk->ik', x, x) }));
    const x = new Float32Array(4096).fill(1);
    expect(evaluateSync(product, { x }, { backend }).y.data[0]).to.equal(64);
    expect(backend.stats()).to.include({ hotPathsDetected: 1, compilations: 1, cacheMisses: 1 });
  });

  it('forgets code and counts when it is cleared, and begins again', () => {
    const kit = codeKit();
    const backend = jit(kit.backend, { hotPathThreshold: 2 });
    for (let n = 0; n < 4; n++) evaluateSync(chain, feeds(n), { backend });
    expect(kit.alive()).to.equal(1);
    backend.clear();
    expect(kit.alive(), 'kernels are disposed of').to.equal(0);
    expect(backend.stats()).to.include({ hotPathsDetected: 0, cacheHits: 0, cacheMisses: 0, compilations: 0 });
    kit.ran();
    for (let n = 0; n < 2; n++) evaluateSync(chain, feeds(n), { backend });
    expect(kit.ran(), 'interpreted again').to.equal(0);
    evaluateSync(chain, feeds(1), { backend });
    expect(kit.ran()).to.equal(1);
    expect(backend.stats()).to.include({ compilations: 1, recompilations: 0 });
  });

  it('lets kernels finish that run while it is cleared (J9)', async () => {
    const hand = byHand();
    const backend = jit(hand.backend, { hotPathThreshold: 1 });
    await evaluate(chain, feeds(1), { backend });
    const running = evaluate(chain, feeds(2), { backend });
    expect(hand.waiting()).to.equal(1);
    backend.clear();
    expect(hand.disposed()).to.equal(0);
    await hand.finish();
    expect((await running)['y'].shape).to.deep.equal([2]);
    expect([hand.misused(), hand.disposed()]).to.deep.equal([0, 1]);
  });

  it('takes a clear in the middle of a stream', () => {
    const kit = codeKit();
    const backend = jit(kit.backend, { hotPathThreshold: 2 });
    const source$ = new Subject<ReturnType<typeof feeds>>();
    const seen = watch(source$.pipe(run(chain, { backend })));
    for (let n = 0; n < 12; n++) {
      if (n === 5 || n === 9) backend.clear();
      source$.next(feeds(n));
    }
    expect(seen.error).to.equal(undefined);
    expect(seen.values).to.have.length(12);
    expect(backend.stats()).to.include({ cacheMisses: 3, cacheHits: 0 });
  });

  it('tells its counts as a stream: now, and after each change of what is compiled (F041)', async () => {
    const backend = jit(codeKit().backend, { hotPathThreshold: 2, adaptive: false });
    const seen: JitStats[] = [];
    const subscription = backend.stats$.subscribe((stats) => seen.push(stats));
    for (let n = 0; n < 5; n++) evaluateSync(chain, feeds(n), { backend });
    backend.clear();
    await Promise.resolve();
    subscription.unsubscribe();
    evaluateSync(chain, feeds(1), { backend });
    await Promise.resolve();
    expect(seen.map(({ hotPathsDetected: hot, compilations }) => [hot, compilations])).to.deep.equal([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ]);
  });

  it('says what it is: its name, the backend inside, a feature', async () => {
    const backend = jit(await wasm());
    expect(backend.name).to.equal('jit(wasm)');
    expect(backend.capabilities.features).to.include.members(['JIT', 'SIMDAcceleration']);
    expect(backend.capabilities.remarks[0]).to.match(/interpreted 10 times before wasm computes/);
    expect(jit().name).to.equal('jit(default)');
    await backend.close();
    expect(thrownBy(() => jit(js(), { hotLevel: 'none' })).code).to.equal('E_ARGUMENT');
  });
});
