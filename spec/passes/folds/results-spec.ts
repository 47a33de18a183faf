/** @file Fused folds give what their nodes give apart: bit for bit on `js`, near on `wasm`, and the same gradients. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, type GraphSymbol } from '../../../src/graph/builder.js';
import { nodesOf, type Graph } from '../../../src/graph/graph.js';
import { evaluateSync, gradient, js, mean, mul, square, steps, sub, sum, tensor, wasm } from '../../../src/index.js'; // prettier-ignore
import type { ComputedDType, Tensor } from '../../../src/index.js';
import { applyPasses, eliminateDeadNodes, fuseFolds } from '../../../src/passes/index.js';
import { anyFold, type AnyFold } from '../../support/anyFold.js';
import { counting } from '../../support/countingBackend.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { contextFor, rewritten } from '../../support/rewritten.js';
import { differentBits } from '../../support/sameBits.js';
import { normalOf, row, softmaxOf } from '../../support/writtenRows.js';

const ROWS = [8, 100];
const x = input(ROWS);

describe('a graph with fused folds', () => {
  it('gives written-out softmax and layer norm in one kernel on js and wasm, with their results (F047)', async () => {
    const rows = Array.from({ length: 800 }, (_, k) => ((k * 37) % 101) / 20 - 2);
    const feeds = { x: tensor(Array.from({ length: 8 }, (_, k) => rows.slice(100 * k, 100 * k + 100))) };
    const want = evaluateSync(graph({ x }, ({ x: v }) => ({ y: softmaxOf(v), z: normalOf(v) })), feeds, { level: 'none', backend: js() }); // prettier-ignore
    for (const inner of [js(), await wasm()]) {
      for (const [name, rule] of [
        ['y', softmaxOf],
        ['z', normalOf],
      ] as const) {
        const { backend, runs } = counting(inner);
        const got = evaluateSync(graph({ x }, ({ x: v }): Record<string, GraphSymbol> => ({ [name]: rule(v) })), feeds, { backend })[name]; // prettier-ignore
        expect(runs(), `kernels of ${name} on ${inner.name}`).to.equal(1);
        expectNear(got, want[name], 1);
      }
      await inner.close();
    }
  });

  it('gives on wasm what wasm gives without, hostile values included (J12)', async function () {
    this.timeout(300_000); // at its full size
    const backend = await wasm();
    const elementwise = ['add', 'sub', 'mul', 'abs', 'neg', 'maximum', 'minimum', 'relu', 'tanh', 'sigmoid', 'square', 'exp'];
    const folds = ['sum', 'mean', 'max', 'min', 'sumsq', 'l2norm', 'softmax', 'any'];
    const dtype = fc.constant<ComputedDType>('float32');
    const sizes = fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 17, 40, 67);
    let joined = 0;
    fc.assert(
      fc.property(anyFold(8, { elementwise, folds, dtype, sizes }), (drawn) => {
        const { g, feeds } = graphOf(drawn, false);
        if (!steps(g).some(({ node }) => node.op === 'fusedFold')) return;
        joined++;
        const { scale, isTame } = sizesOf(drawn);
        const [got, want] = (['standard', 'none'] as const).map((level) => evaluateSync(g, feeds, { level, backend }).y);
        if (isTame) expectNear(got, want, scale);
        else expectAlike(got, [want, evaluateSync(g, feeds, { level: 'none', backend: js() }).y], scale);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(60, 2_000, 20_000) },
    );
    await backend.close();
    console.log(`      ${joined} graphs joined`);
    expect(joined).to.be.greaterThan(10);
  });

  it('gives the gradients of what it joined, also through joined nodes', () => {
    const feeds = {
      x: tensor(Array.from({ length: 8 }, (_, k) => Array.from({ length: 100 }, (_each, i) => Math.sin(k * 100 + i)))),
    };
    const t = tensor(Array.from({ length: 100 }, (_, i) => Math.cos(i)));
    for (const rule of [softmaxOf, normalOf, (v: GraphSymbol) => mean(square(sub(v, mean(v, row))), row)]) {
      const loss = graph({ x }, ({ x: v }) => ({ y: sum(mul(rule(v), t)) })) as Graph;
      const first = applyPasses(loss, [fuseFolds], contextFor(loss)).graph;
      expect([...nodesOf(first)].some(({ op }) => op === 'fusedFold')).to.equal(true);
      const [[want], [standard], [through]] = [
        [loss, 'none'],
        [loss, 'standard'],
        [first, 'none'],
      ].map(
        ([g, level]) => Object.values(evaluateSync(gradient(g as Graph, { of: 'y', wrt: ['x'] }), feeds, { level: level as 'none', backend: js() })), // prettier-ignore
      );
      expect(differentBits(standard, want)).to.equal(undefined);
      expect(differentBits(through, want)).to.equal(undefined);
    }
  });

  it('changes no bit of random folds on js, whatever their values, and of random graphs (J12)', function () {
    this.timeout(300_000); // at its full size
    let [joined, all] = [0, 0];
    const dtype = fc.constantFrom<ComputedDType>('float32', 'float32', 'float64', 'int32', 'bool');
    fc.assert(
      fc.property(anyFold(9, { dtype }), fc.boolean(), (drawn, isOpen) => {
        const { g, feeds } = graphOf(drawn, isOpen);
        const want = evaluateSync(g, feeds, { level: 'none', backend: js() }).y;
        all++;
        if (steps(g).some(({ node }) => node.op === 'fusedFold')) joined++;
        for (const kernels of ['generate', 'interpret'] as const)
          expect(differentBits(evaluateSync(g, feeds, { backend: js({ kernels }) }).y, want), kernels).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(60, 2_000, 50_000) },
    );
    console.log(`      ${joined} of ${all} graphs joined`);
    expect(joined).to.be.greaterThan(all / 8);
    fc.assert(
      fc.property(randomGraph({ maxMoves: 20 }), fc.integer({ min: 2, max: 6 }), ({ graph: g, feeds }, maxFusedNodes) => {
        const expected = evaluateSync(g, feeds, { level: 'none', backend: js() });
        const alone = rewritten(rewritten(g, eliminateDeadNodes).graph, fuseFolds, { maxFusedNodes }).graph;
        const outputs = evaluateSync(alone, feeds, { level: 'none', backend: js() });
        for (const [name, value] of Object.entries(expected))
          expect(differentBits(outputs[name], value), name).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(20, 1_000, 20_000) },
    );
  });
});

/** The last value of a random fold as a graph, sizes declared or not. */
function graphOf({ inputs, rule }: AnyFold, isOpen: boolean) {
  const names = inputs.map((_, k) => `x${k}`);
  const declared = Object.fromEntries(inputs.map((t, k) => [names[k], input(isOpen ? t.shape.map(() => null) : t.shape, { dtype: t.dtype as ComputedDType })])); // prettier-ignore
  const g = graph(declared, (symbols): Record<string, GraphSymbol> => ({ y: rule(names.map((name) => symbols[name])).at(-1)! }));
  return { g, feeds: Object.fromEntries(inputs.map((t, k) => [names[k], t])) };
}

/** The largest magnitude on the way, and whether all of it is finite and far from the ends of float32. */
function sizesOf({ inputs, rule }: AnyFold): { readonly scale: number; readonly isTame: boolean } {
  let [scale, isTame] = [1, true];
  for (const value of rule(inputs))
    for (const each of value.data as Float32Array) {
      if (Number.isFinite(each)) scale = Math.max(scale, Math.abs(each));
      else isTame = false;
    }
  return { scale, isTame: isTame && scale < 1e30 };
}

function expectNear(got: Tensor, want: Tensor, scale: number): void {
  const [a, b] = [got.data, want.data] as [ArrayLike<number>, ArrayLike<number>];
  expect([got.shape, got.dtype]).to.deep.equal([want.shape, want.dtype]);
  for (let i = 0; i < b.length; i++) if (!(Math.abs(a[i] - b[i]) <= 1e-5 * scale)) expect.fail(`[${i}] is ${a[i]}, not ${b[i]}`);
}

/** NaN where one of these is, and infinite where one is: at the end of float32 they may differ from each other. */
function expectAlike(got: Tensor, wanted: readonly Tensor[], scale: number): void {
  const [a, ...all] = [got, ...wanted].map(({ data }) => data as ArrayLike<number>);
  for (let i = 0; i < a.length; i++) {
    const isSame = all.some((b) => (Number.isFinite(b[i]) ? Math.abs(a[i] - b[i]) <= 1e-5 * scale : Object.is(a[i], b[i])));
    if (!isSame) expect.fail(`[${i}] is ${a[i]}, not ${all.map((b) => b[i]).join(' or ')}`);
  }
}
