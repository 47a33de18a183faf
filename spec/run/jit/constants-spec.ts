/** @file Inputs that never change become constants of the code: tried last, kept where quicker, given up for good. */
import { expect } from 'chai';
import {
  add,
  compile,
  context,
  div,
  exp,
  graph,
  input,
  matmul,
  mul,
  relu,
  sqrt,
  sub,
  tensor,
  type Feeds,
  type Graph,
  type GraphSymbol,
  type Tensor,
} from '../../../src/index.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { BEFORE, fed, layer, many, scene, TRIED, W } from '../../support/tier-scene.js';

const roughly = (got: Tensor, want: Tensor): string | undefined => differenceOf(got, want, 1e-5) && 'another number';

describe('jit and inputs that stay the same (F040)', () => {
  it('folds them into the code once levels are decided, and counts exactly (F041)', () => {
    const { runs, backend, kit } = scene();
    expect(runs(40)).to.deep.equal([...TRIED, ...many(22, 1)]);
    expect(backend.stats()).to.deep.equal({
      hotPathsDetected: 1,
      cacheHits: 37,
      cacheMisses: 3,
      cacheHitRate: 37 / 40,
      compilations: 3,
      recompilations: 2,
      deoptimizations: 0,
      // Two kernels, four, and one.
      avgCompilationMs: 49 / 3,
      // Interpreted in 40 ms; as code in 15, and 10 to compare w and s.
      timeSavedMs: 38 * 15,
    });
    expect(kit.alive(), 'the code without constants is kept for runs with others').to.equal(3);
  });

  it('gives them up when one changes, and never folds that one again', () => {
    const { runs, backend, kit } = scene();
    runs(20);
    const other = (n: number): Feeds => ({ ...fed(n), s: [2, 3] });
    expect(runs(1, other), 'the very run').to.deep.equal([2]);
    expect(backend.stats()).to.include({ compilations: 3, deoptimizations: 1 });
    expect(kit.alive()).to.equal(2);
    expect(runs(200, other)).to.deep.equal(many(200, 2));
    expect(runs(200), 'as it was again').to.deep.equal(many(200, 2));
    // 18 runs in 25 ms, and 401 in 30.
    expect(backend.stats()).to.include({
      compilations: 3,
      recompilations: 2,
      deoptimizations: 1,
      timeSavedMs: 18 * 15 + 401 * 10,
    });
  });

  it('goes on with those that did not change, once for each that did', () => {
    const terms = ['a', 'b', 'c'] as const;
    const square = input([2, 2]);
    const g = graph({ x: square, a: square, b: square, c: square }, ({ x, ...rest }) => ({
      y: terms.reduce<GraphSymbol>((y, key) => relu(matmul(y, exp(rest[key]))), x),
    })) as Graph;
    const { runs, backend } = scene(g);
    const feeds =
      (changed: string) =>
      (n: number): Feeds => {
        const of = (key: string): number[][] => [[0, 1], [changed.includes(key) ? 1 / n : 1, 0]]; // prettier-ignore
        return { x: [[n, -n], [1, 2]], a: of('a'), b: of('b'), c: of('c') }; // prettier-ignore
      };
    const compiled: number[] = [];
    for (const changed of ['', 'b', 'ab', 'abc', 'abc', '']) {
      runs(40, feeds(changed));
      compiled.push(backend.stats().compilations);
    }
    expect(compiled).to.deep.equal([3, 4, 5, 5, 5, 5]);
    expect(backend.stats().deoptimizations).to.equal(3);
  });

  it('is not misled by a backend that lends the same tensors with other elements', () => {
    const { runs, backend } = scene();
    const lent = { x: tensor([[0, 0]]), w: tensor(W), s: tensor([2, -3]), b: tensor([0, 0]) };
    const lend =
      (s: number) =>
      (n: number): Feeds => {
        lent.x.data.set([n, -n] as never);
        lent.s.data[1] = s;
        return lent;
      };
    expect(runs(20, lend(-3))).to.deep.equal([...TRIED, 1, 1]);
    expect(runs(1, lend(-4))).to.deep.equal([2]);
    expect(backend.stats().deoptimizations).to.equal(1);
    const turning = scene();
    expect(
      turning.runs(20, (n) => lend(n)(n)),
      'never the same',
    ).to.deep.equal([...BEFORE, ...many(10, 2)]);
  });

  it('stays as it is where that is no quicker: comparing takes time too', () => {
    const { runs, backend, kit } = scene(layer, { cost: 10 });
    expect(runs(200)).to.deep.equal([...TRIED, ...many(182, 2)]);
    expect(backend.stats()).to.include({ compilations: 3, deoptimizations: 0 });
    expect(kit.alive()).to.equal(2);
  });

  it('makes less of batch normalisation: nine nodes become a product and a sum', () => {
    const v = input([2]);
    const declared = { x: input(['n', 2]), w: input([2, 2]), mean: v, variance: v, gamma: v, beta: v };
    const g = graph(declared, ({ x, w, mean, variance, gamma, beta }) => {
      const centred = div(sub(matmul(x, w), mean), sqrt(add(variance, 1e-3)));
      return { y: relu(add(mul(centred, gamma), beta)) };
    }) as Graph;
    const feeds = (n: number) => ({ x: [[n, 1]], w: W, mean: [1, 2], variance: [2, 3], gamma: [1, 2], beta: [0, 1] });
    // Folding the scale into the weights rounds otherwise.
    const { runs, backend } = scene(g, { compare: roughly });
    expect(runs(20, feeds)).to.deep.equal([0, 0, ...many(4, 2), ...many(4, 8), ...many(4, 1), ...many(4, 2), 1, 1]);
    expect(backend.stats()).to.include({ compilations: 3 });
  });

  it('makes nothing of inputs that are only read', () => {
    const plain = graph({ x: input(['n', 2]), w: input([2, 2]), b: input([2]) }, ({ x, w, b }) => ({
      y: relu(add(matmul(x, w), b)),
    })) as Graph;
    const { runs, backend } = scene(plain, { config: { initialLevel: 'standard' } });
    runs(40, (n) => ({ x: [[n, 1]], w: W, b: [1, 2] }));
    expect(backend.stats()).to.include({ compilations: 1, recompilations: 0 });
  });

  it('is all done before the first run where all inputs stay the same', () => {
    const { runs, backend } = scene();
    const same = (): Feeds => ({ ...fed(1), x: [[1, 2], [3, 4]] }); // prettier-ignore
    expect(runs(20, same)).to.deep.equal([...BEFORE, ...many(4, 0), ...many(4, 2), 0, 0]);
    expect(runs(1, () => ({ ...same(), x: [[1, 2], [3, 5]] })), 'and one changes').to.deep.equal([2]); // prettier-ignore
    expect(backend.stats()).to.include({ compilations: 3, deoptimizations: 1 });
    expect(runs(20, (n) => ({ ...same(), x: [[n, 2], [3, 4]] })), 'the others did not').to.deep.equal([...many(3, 2), ...many(4, 1), ...many(4, 2), ...many(9, 1)]); // prettier-ignore
  });

  for (const [what, config] of [
    ['where nothing is measured', { adaptive: false }],
    ['where paths are not told apart', { specialization: false }],
    ['where the hot level folds nothing', { hotLevel: 'standard' }],
    ['where both codes do not fit into the cache', { maxCacheBytes: 12_000 }],
  ] as const)
    it(`lets them be ${what}`, () => {
      const { runs, backend, kit } = scene(layer, { config });
      runs(40);
      expect(runs(10)).to.deep.equal(many(10, 2));
      expect(backend.stats().deoptimizations).to.equal(0);
      expect(kit.alive()).to.equal(2);
    });

  it('lets them be where steps are seen, and in a graph that was compiled', () => {
    const seen = scene(layer, { cost: 4 });
    seen.runs(40, fed, { context: context() });
    const whole = scene(compile(layer, { level: 'aggressive' }), { cost: 4 });
    whole.runs(40);
    for (const { backend } of [seen, whole]) expect(backend.stats()).to.include({ compilations: 1, cacheHits: 37 });
  });
});
