/** @file Fold fusion: which nodes share a kernel with a reduction, which stay apart, and that no bit changes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, named, type GraphSymbol } from '../../src/graph/builder.js';
import { isOpNode, nodesOf, type Graph } from '../../src/graph/graph.js';
import { abs, add, div, evaluateSync, exp, gradient, js, log, logSoftmax, max, mean, mul, relu, sigmoid, softmax, sqrt, square, steps, sub, sum, tensor, wasm } from '../../src/index.js'; // prettier-ignore
import type { ComputedDType, Tensor } from '../../src/index.js';
import type { FusedStep } from '../../src/ops/fused.js';
import { applyPasses, eliminateDeadNodes, fuseFolds, LEVELS } from '../../src/passes/index.js';
import { anyFold, type AnyFold } from '../support/anyFold.js';
import { counting } from '../support/countingBackend.js';
import { contextFor, printed, rewritten, type Demands } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';
import { randomGraph } from '../support/random-graph.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const fusedBy = (g: unknown, demands?: Demands): readonly string[] => shape(rewritten(g as Graph, fuseFolds, demands).graph);

/** The nodes that compute; steps read operands as `0`, `1` … and earlier steps as `.0`, `.1` …. */
function shape(g: Graph): readonly string[] {
  const names = printed(g).filter((line) => line.includes('='));
  const lists = [...nodesOf(g)].filter(isOpNode).map(({ inputs, params }) => {
    const show = (arg: number): string => (arg < inputs.length ? String(arg) : `.${arg - inputs.length}`);
    const list = params['steps'] as readonly FusedStep[] | undefined;
    return list === undefined ? '' : `: ${list.map((step) => `${step.op}(${step.args.map(show).join()})`).join(' ')}`;
  });
  return names.map((line, at) => `${line.replace(/ \{.*/, '').replace(/ +/g, ' ')}${lists[at]}`);
}

const bare = (line: string): string => line.replace(/ \{.*/, '').replace(/ +/g, ' ');
const row = { axis: -1, keepdims: true };
const ROWS = [8, 100];
const x = input(ROWS);
const softmaxOf = (v: GraphSymbol, over: object = row): GraphSymbol => {
  const e = exp(sub(v, max(v, over)));
  return div(e, sum(e, over));
};
const normalOf = (v: GraphSymbol): GraphSymbol => {
  const centred = sub(v, mean(v, row));
  return div(centred, sqrt(add(mean(square(centred), row), 1e-5)));
};

describe('fuseFolds', () => {
  it('joins producers with the reduction that alone reads them, which keeps its id and name (F045 Reduction)', () => {
    const g = graph({ x, t: input(ROWS) }, ({ x: v, t }) => ({ y: mean(named('a', abs(named('d', sub(v, t))))) })) as Graph;
    expect(printed(g).map(bare)).to.deep.equal(['x input [8, 100] float32', 't input [8, 100] float32', 'd = sub(x, t)', 'a = abs(d)', 'y * = mean(a)']); // prettier-ignore
    expect(fusedBy(g)).to.deep.equal(['y * = fusedFold(x, t): sub(0,1) abs(.0) mean(.1)']);
    const { graph: after, report } = rewritten(g, fuseFolds);
    expect([after.outputs, after.size]).to.deep.equal([g.outputs, g.size]);
    expect(report.rewrites).to.deep.equal([{ rule: 'over the same rows, read by this node alone', from: [2, 3], into: 4 }]);
  });

  it('joins a reduction with what reads it, in line with the rows or beside them (F045 ReductionElementWise)', () => {
    const g = graph({ x, b: input([8]), w: input([100]) }, ({ x: v, b, w }) => ({
      centred: mul(sub(v, mean(v, row)), w),
      scaled: sqrt(add(mean(square(v), row), 1e-5)),
      dotted: add(sum(mul(v, w), { axis: -1 }), b),
      whole: div(v, sum(v)),
    }));
    expect(fusedBy(g)).to.deep.equal([
      'centred * = fusedFold(x, w): mean(0) sub(0,.0) mul(.1,1)',
      'scaled * = fusedFold(x, constant_8): square(0) mean(.0) add(.1,1) sqrt(.2)',
      'dotted * = fusedFold(x, w, b): mul(0,1) sum(.0) add(.1,2)',
      'whole * = fusedFold(x): sum(0) div(0,.0)',
    ]);
  });

  it('joins reductions along the same axes, one after another (F045 MultiReduction)', () => {
    const g = graph({ x }, ({ x: v }) => ({
      variance: mean(square(sub(v, mean(v, row))), { axis: -1 }),
      softmax: softmaxOf(v),
      logsumexp: ((peak) => add(log(sum(exp(sub(v, peak)), row)), peak))(max(v, row)),
      normal: normalOf(v),
    }));
    expect(fusedBy(g)).to.deep.equal([
      'variance * = fusedFold(x): mean(0) sub(0,.0) square(.1) mean(.2)',
      'softmax * = fusedFold(x): max(0) sub(0,.0) exp(.1) sum(.2) div(.2,.3)',
      'logsumexp * = fusedFold(x): max(0) sub(0,.0) exp(.1) sum(.2) log(.3) add(.4,.0)',
      'normal * = fusedFold(x, constant_20): mean(0) sub(0,.0) square(.1) mean(.2) add(.3,1) sqrt(.4) div(.1,.5)',
    ]);
  });

  it('takes softmax and its kind as one reduction, with what is in front and behind', () => {
    const g = graph({ x, m: input(ROWS) }, ({ x: v, m }) => ({ y: relu(softmax(add(mul(v, 0.125), m))), z: sum(logSoftmax(v), { axis: -1 }) })); // prettier-ignore
    expect(fusedBy(g)).to.deep.equal([
      'y * = fusedFold(x, constant_2, m): mul(0,1) add(.0,2) softmax(.1) relu(.2)',
      'z * = fusedFold(x): logSoftmax(0) sum(.0)',
    ]);
  });

  it('joins what a gradient of layer norm folds', () => {
    const loss = graph({ x, t: input(ROWS) }, ({ x: v, t }) => ({ y: sum(mul(normalOf(v), t)) }));
    const g = applyPasses(gradient(loss, { of: 'y', wrt: 'x' }), [eliminateDeadNodes], { keep: [], maxFusedNodes: 128 }).graph;
    const before = [...nodesOf(g)].filter(isOpNode);
    const after = [...nodesOf(rewritten(g, fuseFolds).graph)].filter(isOpNode);
    expect(after.filter(({ op }) => op === 'fusedFold')).to.have.length.greaterThan(2);
    expect(after.length).to.be.lessThan(before.length / 1.5);
  });

  it('leaves apart what an output, a kept value or another node reads', () => {
    const g = graph({ x }, ({ x: v }) => {
      const centred = named('c', sub(v, mean(v, row)));
      return { y: sum(named('q', square(centred)), { axis: -1 }), z: exp(centred) };
    });
    expect(fusedBy(g)).to.deep.equal(['c = fusedFold(x): mean(0) sub(0,.0)', 'y * = fusedFold(c): square(0) sum(.0)', 'z * = exp(c)']); // prettier-ignore
    expect(fusedBy(g, { keep: ['q'] })).to.deep.equal(['c = fusedFold(x): mean(0) sub(0,.0)', 'q = square(c)', 'y * = sum(q)', 'z * = exp(c)']); // prettier-ignore
  });

  it('leaves apart folds along other axes, or of other shapes', () => {
    const g = graph({ x, w: input([8, 3, 100]) }, ({ x: v, w }) => ({
      axes: sub(named('m', sub(v, mean(v, row))), named('n', sum(v, { axis: 0, keepdims: true }))),
      shapes: add(named('p', sum(named('o', sum(w, { axis: 1 })), row)), named('q', max(v, row))),
    }));
    expect(fusedBy(g)).to.deep.equal([
      'n = sum(x)',
      'axes * = fusedFold(x, n): mean(0) sub(0,.0) sub(.1,1)',
      'o = sum(w)',
      'shapes * = fusedFold(o, x): sum(0) max(1) add(.0,.1)',
    ]);
  });

  it('leaves a producer apart that is smaller than what is folded, or that no fold gives', () => {
    const g = graph({ x, r: input([8, 1]), w: input([100]) }, ({ x: v, r, w }) => ({
      y: sum(mul(v, named('e', exp(w))), { axis: -1 }),
      z: mul(sub(v, mean(v, row)), named('s', sqrt(r))),
    }));
    expect(fusedBy(g)).to.deep.equal([
      'e = exp(w)',
      'y * = fusedFold(x, e): mul(0,1) sum(.0)',
      's = sqrt(r)',
      'z * = fusedFold(x, s): mean(0) sub(0,.0) mul(.1,1)',
    ]);
  });

  it('never takes a sum a row for a sum a column, though the sizes are the same', () => {
    const g = graph({ x: input([100, 100]) }, ({ x: v }) => ({ y: sub(v, named('s', sum(v, { axis: 1 }))) }));
    expect(fusedBy(g)).to.deep.equal(['s = sum(x)', 'y * = sub(x, s)']);
  });

  it('computes a function again for no row, unless it is kept until it is written', () => {
    const twice = graph({ x, w: input([100]) }, ({ x: v, w }) => {
      const e = named('e', exp(v));
      return { y: mul(div(e, named('s', sum(e, row))), w) };
    });
    expect(fusedBy(twice)).to.deep.equal(['e = exp(x)', 'y * = fusedFold(e, w): sum(0) div(0,.0) mul(.1,1)']);
    const thrice = graph({ x }, ({ x: v }) => ({ y: normalOf(named('e', sigmoid(v))) }));
    expect(fusedBy(thrice).map((line) => line.replace(/:.*/, ''))).to.deep.equal(['e = sigmoid(x)', 'y * = fusedFold(e, constant_6)']);
  });

  it('does cheap steps again as long as that costs less than to write them', () => {
    const chain = (count: number) =>
      graph({ x }, ({ x: v }) => {
        let y: GraphSymbol = v;
        for (let k = 0; k < count; k++) y = named(`a${k}`, abs(y));
        return { y: sub(y, mean(y, row)) };
      });
    expect(fusedBy(chain(16))).to.have.length(1);
    expect(fusedBy(chain(18))).to.have.length(3);
  });

  it('runs once over rows that are long or lie across, and leaves many short ones', () => {
    const of = (dims: readonly number[], axis: number) =>
      graph({ x: input(dims) }, ({ x: v }) => ({ y: sub(v, mean(v, { axis, keepdims: true })), z: sum(square(v), { axis }) }));
    const apart = ['mean_1 = mean(x)', 'y * = sub(x, mean_1)', 'z * = fusedFold(x): square(0) sum(.0)'];
    for (const [dims, axis] of [[[4, 100_000], 1], [[100, 100], 0], [[10_000, 8], 1]] as const) expect(fusedBy(of(dims, axis))).to.deep.equal(apart); // prettier-ignore
    for (const dims of [[20, 8], [4, 10_000]]) expect(fusedBy(of(dims, 1))).to.have.length(2);
  });

  it('mixes no sums that wrap with sums that do not', () => {
    const g = graph({ x: input(ROWS, { dtype: 'int32' }) }, ({ x: v }) => ({
      y: mul(named('f', sum(named('n', square(v)), row)), 0.5),
      z: sub(v, sum(v, row)),
    }));
    expect(fusedBy(g)).to.deep.equal(['f = fusedFold(x): square(0) sum(.0)', 'y * = mul(f, constant_3)', 'z * = fusedFold(x): sum(0) sub(0,.0)']); // prettier-ignore
  });

  it('has no group of more nodes, or of more operands and folds, than the backend joins', () => {
    const g = graph({ x }, ({ x: v }) => ({ y: normalOf(v) })) as Graph;
    for (const maxFusedNodes of [1, 2, 4, 7]) {
      const sizes = [...nodesOf(rewritten(g, fuseFolds, { maxFusedNodes }).graph)].filter(isOpNode).map(({ params }) => (params['steps'] as unknown[] | undefined)?.length ?? 1); // prettier-ignore
      expect(Math.max(...sizes)).to.equal(Math.min(maxFusedNodes, 7));
    }
    for (const maxFusedOperands of [2, 3, 4]) {
      const { graph: after } = applyPasses(g, [fuseFolds], { ...contextFor(g), maxFusedOperands });
      const groups = [...nodesOf(after)].filter(isOpNode).filter(({ op }) => op === 'fusedFold');
      const folds = ({ params }: { readonly params: object }): number => (params as { steps: FusedStep[] }).steps.filter(({ op }) => op === 'mean').length; // prettier-ignore
      expect(Math.max(...groups.map((node) => node.inputs.length + folds(node)))).to.equal(maxFusedOperands);
    }
  });

  it('reports nothing where there is nothing to do, and gives equal groups the same parameters', () => {
    const plain = graph({ x }, ({ x: v }) => ({ y: sum(v) })) as Graph;
    expect(rewritten(plain, fuseFolds).report).to.deep.equal({ pass: 'fuseFolds', patches: [], inverse: [], rewrites: [] });
    const two = graph({ x, t: input(ROWS) }, ({ x: v, t }) => ({ y: softmaxOf(v), z: softmaxOf(t) })) as Graph;
    const [first, second] = [...nodesOf(rewritten(two, fuseFolds).graph)].filter(isOpNode);
    expect(first.params).to.equal(second.params);
    const twice = applyPasses(applyPasses(two, LEVELS.standard, contextFor(two)).graph, LEVELS.standard, contextFor(two));
    expect(twice.reports.flatMap(({ patches }) => patches)).to.deep.equal([]);
  });

  it('gives written-out softmax and layer norm in one kernel on js and wasm, with their results (F047)', async () => {
    const rows = Array.from({ length: 800 }, (_, k) => ((k * 37) % 101) / 20 - 2);
    const feeds = { x: tensor(Array.from({ length: 8 }, (_, k) => rows.slice(100 * k, 100 * k + 100))) };
    const want = evaluateSync(graph({ x }, ({ x: v }) => ({ y: softmaxOf(v), z: normalOf(v) })), feeds, { level: 'none', backend: js() }); // prettier-ignore
    for (const inner of [js(), await wasm()]) {
      for (const [name, rule] of [['y', softmaxOf], ['z', normalOf]] as const) {
        const { backend, runs } = counting(inner);
        const got = evaluateSync(graph({ x }, ({ x: v }): Record<string, GraphSymbol> => ({ [name]: rule(v) })), feeds, { backend })[name]; // prettier-ignore
        expect(runs(), `kernels of ${name} on ${inner.name}`).to.equal(1);
        expectNear(got, want[name], 1);
      }
      await inner.close();
    }
  });

  it('gives on wasm what wasm gives without, hostile values included, and gradients too (J12)', async function () {
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
        else expectAlike(got, want, scale);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(150, 2_000, 20_000) },
    );
    await backend.close();
    console.log(`      ${joined} graphs joined`);
    expect(joined).to.be.greaterThan(20);
  });

  it('gives the gradients of what it joined, also through joined nodes', () => {
    const feeds = { x: tensor(Array.from({ length: 8 }, (_, k) => Array.from({ length: 100 }, (_each, i) => Math.sin(k * 100 + i)))) };
    const t = tensor(Array.from({ length: 100 }, (_, i) => Math.cos(i)));
    for (const rule of [softmaxOf, normalOf, (v: GraphSymbol) => mean(square(sub(v, mean(v, row))), row)]) {
      const loss = graph({ x }, ({ x: v }) => ({ y: sum(mul(rule(v), t)) })) as Graph;
      const first = applyPasses(loss, [fuseFolds], contextFor(loss)).graph;
      expect([...nodesOf(first)].some(({ op }) => op === 'fusedFold')).to.equal(true);
      const [[want], [standard], [through]] = [[loss, 'none'], [loss, 'standard'], [first, 'none']].map(
        ([g, level]) => Object.values(evaluateSync(gradient(g as Graph, { of: 'y', wrt: 'x' }), feeds, { level: level as 'none', backend: js() })), // prettier-ignore
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
      { seed: propertySeed(), numRuns: propertyRuns(150, 2_000, 50_000) },
    );
    console.log(`      ${joined} of ${all} graphs joined`);
    expect(joined).to.be.greaterThan(all / 8);
    fc.assert(
      fc.property(randomGraph({ maxMoves: 20 }), fc.integer({ min: 2, max: 6 }), ({ graph: g, feeds }, maxFusedNodes) => {
        const expected = evaluateSync(g, feeds, { level: 'none', backend: js() });
        const alone = rewritten(rewritten(g, eliminateDeadNodes).graph, fuseFolds, { maxFusedNodes }).graph;
        const outputs = evaluateSync(alone, feeds, { level: 'none', backend: js() });
        for (const [name, value] of Object.entries(expected)) expect(differentBits(outputs[name], value), name).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 1_000, 20_000) },
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
  for (let i = 0; i < b.length; i++)
    if (!(Math.abs(a[i] - b[i]) <= 1e-5 * scale)) expect.fail(`[${i}] is ${a[i]}, not ${b[i]}`);
}

/** NaN where that is, and infinite where that is. */
function expectAlike(got: Tensor, want: Tensor, scale: number): void {
  const [a, b] = [got.data, want.data] as [ArrayLike<number>, ArrayLike<number>];
  for (let i = 0; i < b.length; i++) {
    const isSame = Number.isFinite(b[i]) ? Math.abs(a[i] - b[i]) <= 1e-5 * scale : Object.is(a[i], b[i]);
    if (!isSame) expect.fail(`[${i}] is ${a[i]}, not ${b[i]}`);
  }
}
