/** @file Hot paths that do not compile, or find no room: they stay interpreted, and it is said. */
import { expect } from 'chai';
import { from, queueScheduler } from 'rxjs';
import {
  evaluateSync,
  exp,
  graph,
  input,
  jit,
  js,
  live,
  matmul,
  param,
  relu,
  run,
  tanh,
  tensor,
  type Backend,
  type Diagnostic,
  type EinstreamError,
  type Graph,
  type KernelIR,
  type Tensor,
} from '../../../src/index.js';
import { paired } from '../../../src/run/paired.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';
import { wasmKit } from '../../support/wasmKit.js';
import { watch } from '../../support/watch.js';

const chain = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(tanh(exp(x))) })) as Graph;
const feeds = (n: number) => ({ x: [n / 4, -n / 4] });

/** A backend whose compiler fails while it is told to. */
function failing(name: string, error: unknown = new Error('out of registers')) {
  const inner = js();
  const state = { attempts: 0, isBroken: true };
  const compile = (ir: KernelIR) => {
    state.attempts++;
    if (state.isBroken) throw error;
    return inner.compile(ir);
  };
  const backend: Backend = { ...inner, name, compile };
  return { backend, state };
}

function told() {
  const heard: Diagnostic[] = [];
  return { heard, onDiagnostic: (diagnostic: Diagnostic) => void heard.push(diagnostic) };
}

describe('jit whose backend cannot compile (F037, J8)', () => {
  it('goes on interpreting, with the same bits; tries once; each subscription hears of it once', () => {
    const { backend: inner, state } = failing('js');
    const backend = jit(inner, { hotPathThreshold: 2 });
    for (let time = 1; time <= 2; time++) {
      const { heard, onDiagnostic } = told();
      const seen = watch(from(Array.from({ length: 20 }, (_, n) => feeds(n))).pipe(run(chain, { backend, onDiagnostic })));
      expect(seen.error).to.equal(undefined);
      seen.values.forEach(({ y }, n) =>
        expect(differentBits(y, evaluateSync(chain, feeds(n), { backend: js() })['y'])).to.equal(undefined),
      );
      expect(heard.map(({ code, severity }) => `${code} ${severity}`)).to.deep.equal(['W_FALLBACK warning']);
      expect(heard[0].message).to.match(/js cannot compile this hot path: it stays interpreted.*out of registers/);
      expect((heard[0].cause as EinstreamError).code).to.equal('E_CODEGEN');
    }
    expect(state.attempts).to.equal(1);
    expect(backend.stats()).to.include({ compilations: 0, cacheHits: 0, cacheMisses: 40, avgCompilationMs: 0 });
  });

  it('remembers as many failures as it counts paths, and tries again after a clear', () => {
    const { backend: inner, state } = failing('js');
    const backend = jit(inner, { hotPathThreshold: 1, maxCacheSize: 1, deoptimization: false });
    const sized = graph({ x: input([1]) }, ({ x }) => ({ y: exp(x) }));
    for (let n = 0; n < 5; n++) evaluateSync(sized, { x: [1] }, { backend });
    expect(state.attempts).to.equal(1);
    for (let size = 1; size <= 10; size++)
      for (let n = 0; n < 2; n++) evaluateSync(chain, { x: Array<number>(size).fill(1) }, { backend });
    expect(state.attempts).to.equal(11);
    for (let n = 0; n < 3; n++) evaluateSync(sized, { x: [1] }, { backend });
    expect(state.attempts, 'ten paths are remembered, so that the first one was forgotten').to.equal(12);
    state.isBroken = false;
    evaluateSync(sized, { x: [1] }, { backend });
    expect(backend.stats().compilations).to.equal(0);
    backend.clear();
    for (let n = 0; n < 3; n++) evaluateSync(sized, { x: [1] }, { backend });
    expect(backend.stats()).to.include({ compilations: 1, cacheHits: 1 });
  });

  it("is an error with fallback: 'never'", () => {
    const { backend: inner } = failing('js');
    const backend = jit(inner, { hotPathThreshold: 1 });
    const options = { backend, fallback: 'never' } as const;
    evaluateSync(chain, feeds(1), options);
    expect(thrownBy(() => evaluateSync(chain, feeds(1), options)).code).to.equal('E_CODEGEN');
  });

  it('leaves a node to js where only that one does not compile', () => {
    const { backend: inner, state } = failing('partial');
    const { heard, onDiagnostic } = told();
    const backend = jit(inner, { hotPathThreshold: 1 });
    for (let n = 0; n < 3; n++) {
      const { y } = evaluateSync(chain, feeds(n), { backend, onDiagnostic });
      expect(differentBits(y, evaluateSync(chain, feeds(n), { backend: js() })['y'])).to.equal(undefined);
    }
    expect(state.attempts).to.equal(1);
    expect(new Set(heard.map(({ code }) => code))).to.deep.equal(new Set(['W_FALLBACK']));
    expect(backend.stats().compilations).to.equal(1);
  });

  it('stays with a level that compiles where the one below does not', () => {
    const { backend: inner, state } = failing('js');
    state.isBroken = false;
    const backend = jit(inner, { hotPathThreshold: 1, profilingWindow: 2, clock: () => 0 });
    const { heard, onDiagnostic } = told();
    const options = { backend, onDiagnostic };
    for (let n = 0; n < 3; n++) evaluateSync(chain, feeds(n), options);
    state.isBroken = true;
    for (let n = 0; n < 30; n++) evaluateSync(chain, feeds(n), options);
    expect(state.attempts).to.equal(2);
    expect(backend.stats()).to.include({ compilations: 1, cacheMisses: 2 });
    expect(heard[0].code).to.equal('W_FALLBACK');
  });
});

describe('jit without room (F037, J8)', () => {
  const layerOf = (width: number): Graph => {
    const w = tensor(new Float32Array(64 * width).fill(1 / 64), { shape: [64, width] });
    return graph({ x: input(['n', 64]), w: param(w) }, ({ x, w }) => ({ y: relu(matmul(exp(x), w)) }));
  };
  const layer = layerOf(64);
  const rows = (n: number) => ({ x: tensor(new Float32Array(n * 64).fill(0.5), { shape: [n, 64] }) });
  const right = (got: Readonly<Record<string, Tensor>>, n: number, g = layer): void => {
    expect(differenceOf(got['y'], evaluateSync(g, rows(n), { backend: js() })['y'], 1e-4)).to.equal(undefined);
  };

  for (const [what, g, size, compilations] of [
    ['for a param', layerOf(512), 2, 0],
    ['for a frame', layer, 200, 1],
  ] as const)
    it(`goes on interpreting where there is no memory ${what}`, () => {
      const { backend: inner, memory } = wasmKit({ limit: 2 ** 16 });
      const backend = jit(inner, { hotPathThreshold: 1 });
      const { heard, onDiagnostic } = told();
      const seen = watch(from([size, size, size, size].map(rows)).pipe(run(g, { backend, onDiagnostic })));
      expect(seen.error).to.equal(undefined);
      seen.values.forEach((outputs) => right(outputs, size, g));
      expect(seen.values).to.have.length(4);
      expect(heard.map(({ code }) => code)).to.deep.equal(['W_FALLBACK']);
      expect((heard[0].cause as EinstreamError).code).to.equal('E_OOM');
      expect(backend.stats().compilations).to.equal(compilations);
      expect(memory.used()).to.be.lessThan(2 ** 16);
    });

  it('goes on in live', () => {
    const { backend: inner } = wasmKit({ limit: 2 ** 16 });
    const backend = jit(inner, { hotPathThreshold: 1 });
    const sizes = [200, 201, 200, 201, 200];
    const x$ = from(sizes.map((n) => rows(n).x));
    const seen = watch(live(layer, { x: x$ }, { backend, scheduler: queueScheduler }));
    expect(seen.error).to.equal(undefined);
    expect(seen.values).to.have.length(5);
    seen.values.forEach((outputs, k) => right(outputs, sizes[k]));
    expect(backend.stats()).to.include({ compilations: 2, cacheHits: 0 });
  });

  it('takes the way out of a pair of backends: the other one of them computes', () => {
    const { backend: large } = wasmKit({ limit: 2 ** 16 });
    const backend = jit(
      paired(js(), () => large, large.capabilities),
      { hotPathThreshold: 1 },
    );
    const { heard, onDiagnostic } = told();
    const seen = watch(from([200, 200, 200].map(rows)).pipe(run(layer, { backend, onDiagnostic })));
    expect(seen.error).to.equal(undefined);
    seen.values.forEach((outputs) => right(outputs, 200));
    expect(heard.map(({ code, message }) => `${code} ${message.includes('js computes them')}`)).to.deep.equal([
      'W_FALLBACK true',
    ]);
    expect(backend.stats()).to.include({ compilations: 1 });
  });

  it('keeps no code that is larger than the cache, and says so', () => {
    const backend = jit(js(), { hotPathThreshold: 1, maxCacheBytes: 4095 });
    const { heard, onDiagnostic } = told();
    for (let n = 0; n < 4; n++) evaluateSync(chain, feeds(n), { backend, onDiagnostic });
    expect(heard[0].message).to.match(/at most 4095 bytes/);
    expect(backend.stats().cacheHits).to.equal(0);
    const larger = jit(js(), { hotPathThreshold: 1, maxCacheBytes: 4096 });
    for (let n = 0; n < 4; n++) evaluateSync(chain, feeds(n), { backend: larger });
    expect(larger.stats().cacheHits).to.equal(2);
  });
});
