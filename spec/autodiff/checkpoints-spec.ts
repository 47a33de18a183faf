/** @file Gradient checkpointing: memory falls as promised, and no bit of a gradient changes. */
import { expect } from 'chai';
import { of } from 'rxjs';
import { evaluateSync, EinstreamError, gradient, graph, input, js, liveMemory, matmul, named, nodeCount, nodesOf, ones, param, run, sin, sum, tanh, wasm, type Backend, type Graph, type GradientOptions, type GraphSymbol } from '../../src/index.js'; // prettier-ignore
import type { OpNode } from '../../src/graph/graph.js';
import { applyPasses, LEVELS, type Level } from '../../src/passes/index.js';
import { differentBits } from '../support/sameBits.js';
import { isLarge } from '../support/property.js';

const ELEMENTS = 1000;
const BYTES = 4 * ELEMENTS;

const chain = (count: number): Graph =>
  graph({ x: input([ELEMENTS]) }, ({ x }) => {
    let y: GraphSymbol = x;
    for (let at = 0; at < count; at++) y = named(`h${at}`, sin(y));
    return { y: sum(y) };
  });

const layers = (count: number): Graph =>
  graph({ x: input([10, 100]), w: param(ones([100, 100])) }, ({ x, w }) => {
    let y: GraphSymbol = x;
    for (let at = 0; at < count; at++) y = tanh(matmul(y, w));
    return { y: sum(y) };
  });

const feed = { x: Float32Array.from({ length: ELEMENTS }, (_, i) => i / ELEMENTS) };

/** Buffers that are held while a frame is out, in tensors of one layer's size. */
function held(g: Graph, backend: Backend, level: Level): number {
  let bytes = 0;
  of(feed).pipe(run(g, { backend, level, outputs: 'borrow' })).subscribe(() => (bytes = liveMemory().bytes)); // prettier-ignore
  return bytes / BYTES;
}

describe('gradient checkpointing', () => {
  const make = { chain, layers };
  for (const kind of ['chain', 'layers'] as const) {
    for (const level of isLarge() ? (Object.keys(LEVELS) as Level[]) : (['none', 'standard'] as const)) {
      it(`holds about 2√n layers of a ${kind} of n instead of n, at level ${level}`, () => {
        for (const n of isLarge() ? [64, 256] : [64]) {
          const kept = (checkpoints: GradientOptions['checkpoints']) =>
            held(gradient(make[kind](n), { of: 'y', wrt: ['x'], checkpoints }), js(), level);
          const [all, sqrt] = [kept('all'), kept('sqrt')];
          expect(all, `all of ${n}`).to.be.within(n - 2, n + 3);
          expect(sqrt, `√${n}`).to.be.at.most(2.5 * Math.sqrt(n));
        }
      });
    }
  }

  it('holds as little on wasm', async () => {
    const backend = await wasm();
    const g = chain(256);
    const [all, sqrt] = (['all', 'sqrt'] as const).map((checkpoints) => held(gradient(g, { of: 'y', wrt: ['x'], checkpoints }), backend, 'standard')); // prettier-ignore
    expect(sqrt).to.be.at.most(all / 6);
    await backend.close();
  });

  it('marks what it computes again, so that no pass joins it with what it repeats', () => {
    const marked = (checkpoints: GradientOptions['checkpoints']): number => {
      const g = gradient(chain(16), { of: 'y', wrt: ['x'], checkpoints });
      const after = applyPasses(g, LEVELS.standard, { keep: [], maxFusedNodes: 1 }).graph;
      expect(nodeCount(after)).to.be.at.least(checkpoints === 'all' ? 0 : nodeCount(g) - 8);
      return [...nodesOf(after)].filter((node) => (node as OpNode).isRecomputed === true).length;
    };
    expect([marked('all'), marked('sqrt')]).to.deep.equal([0, 12]);
  });

  it('changes no bit, and computes each value at most once more', () => {
    for (const kind of ['chain', 'layers'] as const) {
      const g = make[kind](40);
      const plain = gradient(g, { of: 'y', wrt: ['x'], value: true });
      const want = evaluateSync(plain, feed);
      for (const checkpoints of ['sqrt', kind === 'chain' ? ['h9', 'h19', 'h29'] : ['tanh_21', 'tanh_41']] as const) {
        const saving = gradient(g, { of: 'y', wrt: ['x'], value: true, checkpoints });
        const got = evaluateSync(saving, feed);
        for (const name of ['x', 'y']) expect(differentBits(got[name], want[name])).to.equal(undefined);
        expect(nodeCount(saving) - nodeCount(plain)).to.be.within(1, nodeCount(g));
      }
    }
  });

  it('keeps the values that are named, and refuses names that no value has', () => {
    const g = chain(30);
    const at = (checkpoints: GradientOptions['checkpoints']) =>
      held(gradient(g, { of: 'y', wrt: ['x'], checkpoints }), js(), 'none');
    // Two segments of ten are computed again at a time beside the two that are kept.
    expect(at(['h9', 'h19'])).to.be.within(8, 16);
    expect(() => at(['nothing'])).to.throw(EinstreamError, /checkpoints must name a value/);
  });

  it('keeps every so many-th value with an interval: all at 1, none of n beyond n', () => {
    const g = chain(32);
    const copies = (interval: number): number => {
      const graph = gradient(g, { of: 'y', wrt: ['x'], checkpoints: { interval } });
      return [...nodesOf(graph)].filter((node) => (node as OpNode).isRecomputed === true).length;
    };
    // The way back reads 31 of the 32 values of the chain.
    expect([1, 2, 4, 1000].map(copies)).to.deep.equal([0, 15, 23, 31]);
    const want = evaluateSync(gradient(g, { of: 'y', wrt: ['x'] }), feed).x;
    const got = evaluateSync(gradient(g, { of: 'y', wrt: ['x'], checkpoints: { interval: 5 } }), feed).x;
    expect(differentBits(got, want)).to.equal(undefined);
    for (const interval of [0, 1.5, '2', undefined])
      expect(() => gradient(g, { of: 'y', wrt: ['x'], checkpoints: { interval } as never })).to.throw(EinstreamError, /interval/);
  });
});
