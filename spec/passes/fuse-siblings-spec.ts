/** @file Sibling reductions: which share a run over their rows, which stay apart, and that no bit changes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, named, type GraphSymbol } from '../../src/graph/builder.js';
import { isOpNode, nodesOf, type Graph } from '../../src/graph/graph.js';
import { argmax, argmin, div, evaluateSync, exp, gradient, js, max, mean, min, mul, sqrt, square, sub, sum, tanh, tensor, wasm } from '../../src/index.js'; // prettier-ignore
import type { Backend, ComputedDType, Tensor } from '../../src/index.js';
import { fusedSiblings } from '../../src/ops/fusedSiblings.js';
import { ops } from '../../src/ops/registry.js';
import { applyPasses, eliminateDeadNodes, fuseFolds, fuseSiblings, LEVELS } from '../../src/passes/index.js';
import { anyDType, anyLie, tensorLike } from '../support/anyLayout.js';
import { counting } from '../support/countingBackend.js';
import { farFrom } from '../support/near.js';
import { contextFor, printed, rewritten, type Demands } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';
import { propertyRuns, propertySeed } from '../support/property.js';

type Rule = (x: GraphSymbol) => Record<string, GraphSymbol>;

const x = input([8, 256]);
const row = { axis: -1 };
const bare = (line: string): string => line.replace(/ \{.*/, '').replace(/ +/g, ' ');
const after = (g: unknown, demands?: Demands): Graph => rewritten(g as Graph, fuseSiblings, demands).graph;
const shape = (g: Graph): readonly string[] => printed(g).filter((line) => line.includes('=')).map(bare); // prettier-ignore
const stepsIn = (g: Graph): readonly string[] =>
  [...nodesOf(g)].filter(isOpNode).filter(({ op }) => op === 'fusedSiblings').map(({ params }) => (params['steps'] as { readonly op: string }[]).map(({ op }) => op).join(' ')); // prettier-ignore
const three: Rule = (v) => ({ s: sum(v, row), m: max(v, row), q: mean(square(v), row) });

const REDUCTIONS = ['sum', 'mean', 'max', 'min', 'prod', 'sumsq', 'l2norm', 'variance', 'std', 'logsumexp', 'any', 'all', 'count', 'argmax', 'argmin']; // prettier-ignore

/** A reduction, of the operand itself or of what an elementwise op makes of it. */
interface Drawn {
  readonly op: string;
  readonly of: 'x' | 'square' | 'tanh' | 'product';
  readonly axis: number | null;
  readonly keepdims: boolean;
}

const anyDrawn = (names: readonly string[]): fc.Arbitrary<readonly Drawn[]> =>
  fc.tuple(fc.constantFrom(-1, -1, 1, null), fc.boolean()).chain(
    ([axis, keepdims]) =>
    fc.array(fc.record<Drawn>({ op: fc.constantFrom(...names), of: fc.constantFrom('x', 'x', 'square', 'tanh', 'product'), axis: fc.constant(axis), keepdims: fc.constant(keepdims) }), { minLength: 2, maxLength: 10 }), // prettier-ignore
  );

function graphOf(drawn: readonly Drawn[], like: Tensor, second: Tensor): Graph {
  const declared = (t: Tensor) => input(t.shape, { dtype: t.dtype as ComputedDType });
  return graph({ x: declared(like), t: declared(second) }, ({ x: v, t }) => {
    const producers = { x: () => v, square: () => square(v), tanh: () => tanh(v), product: () => mul(v, t) };
    return Object.fromEntries(drawn.map(({ op, of, axis, keepdims }, k) => [`y${k}`, ops[op](producers[of](), { axis, keepdims }) as GraphSymbol])); // prettier-ignore
  });
}

describe('fuseSiblings', () => {
  it('joins reductions of one operand over the same rows; they become views under their ids and names (F046 ParallelReductions)', () => {
    const g = graph({ x }, (all) => three(all.x)) as Graph;
    const folded = rewritten(g, fuseFolds).graph;
    expect(shape(folded)).to.deep.equal(['s * = sum(x)', 'm * = max(x)', 'q * = fusedFold(x)']);
    const { graph: joined, report } = rewritten(folded, fuseSiblings);
    expect(printed(joined).map(bare)).to.deep.equal([
      'x input [8, 256] float32',
      'fusedSiblings_5 = fusedSiblings(x)',
      's * = slice(fusedSiblings_5)',
      'm * = slice(fusedSiblings_5)',
      'q * = slice(fusedSiblings_5)',
    ]);
    expect(stepsIn(joined)).to.deep.equal(['sum max fusedFold']);
    expect([joined.outputs, joined.size]).to.deep.equal([g.outputs, g.size + 1]);
    expect(report.rewrites).to.deep.equal([{ rule: 'reductions of the same rows', from: [1, 2, 4], into: 5 }]);
  });

  it('runs one kernel a group, with nothing allocated but its results, generated, interpreted and in WebAssembly (F047)', async () => {
    const values = Float32Array.from({ length: 2048 }, (_, k) => ((k * 37) % 101) / 20 - 2);
    const feeds = { x: tensor(values, { shape: [8, 256] }) };
    const g = graph({ x }, (all) => three(all.x));
    const want = evaluateSync(g, feeds, { level: 'none', backend: js() });
    for (const inner of [js(), js({ kernels: 'interpret' }), await wasm()]) {
      const { backend, runs } = counting(inner);
      const made: (readonly number[])[] = [];
      const allocate: Backend['allocate'] = (dims, dtype) => {
        made.push(dims);
        return inner.allocate(dims, dtype);
      };
      const got = evaluateSync(g, { x: inner.upload(feeds.x) }, { backend: { ...backend, allocate } });
      expect(runs(), inner.name).to.equal(1);
      expect(
        made.filter((dims) => dims.length > 1),
        inner.name,
      ).to.deep.equal([[3, 8]]);
      for (const [name, value] of Object.entries(want))
        expect(farFrom(got[name], value, fusedSiblings.definition), name).to.equal(undefined);
      await inner.close();
    }
  });

  it('copies an output out, so that no one shares its memory', () => {
    const { s, m } = evaluateSync(graph({ x }, (all) => three(all.x)), { x: tensor(new Float32Array(2048).fill(1), { shape: [8, 256] }) }, { backend: js() }); // prettier-ignore
    expect(s.buffer).not.to.equal(m.buffer);
    expect(s.buffer.array).to.have.length(8);
  });

  it('joins before and behind other groups, and keeps what is asked for readable', () => {
    const g = graph({ x }, ({ x: v }) => {
      const [s, m] = [named('s', sum(v, row)), named('m', max(v, row))];
      const centred = named('c', sub(v, mean(v)));
      return { y: div(s, m), z: sum(centred, row), w: max(centred, row) };
    });
    const joined = after(g, { keep: ['s'] });
    expect(stepsIn(joined)).to.deep.equal(['sum max', 'sum max']);
    const feeds = { x: tensor(Float32Array.from({ length: 2048 }, (_, k) => Math.cos(k)), { shape: [8, 256] }) }; // prettier-ignore
    const [got, want] = (['standard', 'none'] as const).map((level) => evaluateSync(g, feeds, { level, keep: ['s'], backend: js() })); // prettier-ignore
    expect(Object.keys(got)).to.deep.equal(['y', 'z', 'w', 's']);
    for (const [name, value] of Object.entries(want)) expect(differentBits(got[name], value), name).to.equal(undefined);
  });

  it('leaves apart what only looks alike: other operands, axes, results, dtypes, or one that the other needs', () => {
    const apart: Record<string, Rule> = {
      operand: (v) => ({ a: sum(v, row), b: max(exp(v), row) }),
      axes: (v) => ({ a: sum(v, row), b: max(v) }),
      kept: (v) => ({ a: sum(v, row), b: max(v, { axis: -1, keepdims: true }) }),
      dtype: (v) => ({ a: sum(v, row), b: argmax(v, row) }),
      columns: (v) => ({ a: sum(v, { axis: 0 }), b: max(v, { axis: 0 }) }),
      alone: (v) => ({ a: sum(v, row), b: exp(v), c: tanh(v) }),
    };
    for (const [why, rule] of Object.entries(apart))
      expect(stepsIn(after(graph({ x }, (all) => rule(all.x)))), why).to.deep.equal([]);
    const needs = graph({ x }, ({ x: v }) => ({ b: sum(square(sub(v, mean(v, { axis: -1, keepdims: true }))), row), a: max(v, row) })); // prettier-ignore
    const chain = graph({ x }, ({ x: v }) => ({ b: sum(mul(v, sum(v))), a: max(v), c: min(v) }));
    expect(stepsIn(after(needs))).to.deep.equal([]);
    // As one node it needs nothing else: the second of its two runs is shared.
    expect(stepsIn(after(rewritten(needs, fuseFolds).graph))).to.deep.equal(['fusedFold max']);
    expect(stepsIn(after(chain))).to.deep.equal(['sum max min']);
    expect(stepsIn(after(graph({ x }, ({ x: v }) => ({ a: argmax(v, row), b: argmin(v, row) }))))).to.deep.equal([
      'argmax argmin',
    ]);
  });

  it('leaves apart reductions of little, and of short rows; a batch size that is not known does not matter', () => {
    const of = (dims: readonly (number | string)[]): readonly string[] => stepsIn(after(graph({ x: input(dims) }, ({ x: v }) => ({ a: sum(v, row), b: max(v, row) })))); // prettier-ignore
    for (const dims of [[1023], [3, 256], [10_000, 255], ['n'], [8, 'n']]) expect(of(dims), dims.join()).to.deep.equal([]);
    for (const dims of [[1024], [4, 256], ['n', 1024], [2, 'n', 1024]]) expect(of(dims), dims.join()).to.deep.equal(['sum max']);
  });

  it('has no group of more results or nodes than the backend writes, and none where it writes one', () => {
    const many = graph({ x }, ({ x: v }) =>
      Object.fromEntries(Array.from({ length: 11 }, (_, k) => [`y${k}`, sum(v, row)])),
    ) as Graph;
    const sizes = (demands: Demands): readonly number[] => stepsIn(after(many, demands)).map((list) => list.split(' ').length);
    expect(sizes({})).to.deep.equal([8, 3]);
    expect(sizes({ maxResults: 2 })).to.deep.equal([2, 2, 2, 2, 2]);
    expect(sizes({ maxResults: 1 })).to.deep.equal([]);
    expect(sizes({ maxFusedNodes: 4 })).to.deep.equal([4, 4, 3]);
    expect(applyPasses(many, [fuseSiblings], { keep: [], maxFusedNodes: 64 }).graph).to.equal(many);
  });

  it('reports nothing where there is nothing to do, and gives equal groups the same parameters', () => {
    const plain = graph({ x }, ({ x: v }) => ({ y: sum(v, row) })) as Graph;
    expect(rewritten(plain, fuseSiblings).report).to.deep.equal({ pass: 'fuseSiblings', patches: [], inverse: [], rewrites: [] });
    const two = graph({ x, t: x }, ({ x: v, t }) => ({ a: sum(v), b: max(v), c: sum(t), d: max(t) }));
    const [first, second] = [...nodesOf(after(two))].filter(isOpNode).filter(({ op }) => op === 'fusedSiblings');
    expect(first.params).to.equal(second.params);
  });

  it('passes gradients through, also through joined nodes', () => {
    const loss = graph({ x }, ({ x: v }) => ({ y: sum(mul(sum(v, row), sqrt(mean(square(v), row)))) })) as Graph;
    const joined = applyPasses(loss, [fuseFolds, fuseSiblings], contextFor(loss)).graph;
    expect(stepsIn(joined)).to.deep.equal(['sum fusedFold']);
    const feeds = { x: tensor(Float32Array.from({ length: 2048 }, (_, k) => Math.sin(k)), { shape: [8, 256] }) }; // prettier-ignore
    const of = (g: Graph, level: 'none' | 'standard'): Tensor => Object.values(evaluateSync(gradient(g, { of: 'y', wrt: ['x'] }), feeds, { level, backend: js() }))[0]; // prettier-ignore
    const want = of(loss, 'none');
    expect(differentBits(of(loss, 'standard'), want)).to.equal(undefined);
    expect(farFrom(of(joined, 'none'), want, fusedSiblings.definition)).to.equal(undefined);
  });

  it('changes no bit on js of any reductions, whatever the operand holds and however it lies (J12)', function () {
    this.timeout(300_000); // at its full size
    let [joined, all] = [0, 0];
    const operands = fc.tuple(fc.constantFrom([4, 256], [2, 2, 300], [1, 1030]), anyDType).chain(([dims, dtype]) => fc.tuple(tensorLike(dims, fc.constant(dtype), anyLie()), tensorLike(dims, fc.constant(dtype), anyLie()))); // prettier-ignore
    fc.assert(
      fc.property(anyDrawn(REDUCTIONS), operands, (drawn, [v, t]) => {
        const g = graphOf(drawn, v, t);
        const want = evaluateSync(g, { x: v, t }, { level: 'none', backend: js() });
        all++;
        if (stepsIn(applyPasses(g, LEVELS.standard, contextFor(g)).graph).length > 0) joined++;
        for (const kernels of ['generate', 'interpret'] as const) {
          const got = evaluateSync(g, { x: v, t }, { backend: js({ kernels }) });
          for (const [name, value] of Object.entries(want))
            expect(differentBits(got[name], value), `${name} ${kernels}`).to.equal(undefined);
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(25, 600, 10_000) },
    );
    console.log(`      ${joined} of ${all} graphs joined`);
    expect(joined).to.be.greaterThan(all / 3);
  });

  it('gives on wasm what wasm gives without, NaN and infinities included, along rows as they lie and across (J12)', async function () {
    this.timeout(300_000); // at its full size
    const backend = await wasm();
    const names = REDUCTIONS.filter((name) => name !== 'variance' && name !== 'std');
    const dtype = fc.constantFrom<ComputedDType>('float32', 'float32', 'float64', 'int32');
    let joined = 0;
    const drawnTensor = fc.tuple(dtype, fc.nat(3), fc.boolean(), fc.nat(2000)).map(([type, hostile, isTurned, salt]) => {
      const array = Array.from({ length: 1200 }, (_, k) => (type === 'int32' ? ((k + salt) % 7) - 3 : 0.95 + ((k * 37 + salt) % 101) / 1000)); // prettier-ignore
      if (hostile > 0 && type !== 'int32') array[salt % 1200] = [NaN, Infinity, -Infinity][hostile - 1];
      const flat = tensor(array, { dtype: type, shape: isTurned ? [300, 4] : [4, 300] });
      return isTurned ? transposed(flat) : flat;
    });
    fc.assert(
      fc.property(anyDrawn(names), drawnTensor, (drawn, v) => {
        const g = graphOf(drawn, v, v);
        if (stepsIn(applyPasses(g, LEVELS.standard, contextFor(g)).graph).length > 0) joined++;
        const [got, want] = (['standard', 'none'] as const).map((level) => evaluateSync(g, { x: v, t: v }, { level, backend })) as [Record<string, Tensor>, Record<string, Tensor>]; // prettier-ignore
        for (const [name, value] of Object.entries(want))
          expect(farFrom(got[name], value, fusedSiblings.definition), name).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(25, 600, 6_000) },
    );
    await backend.close();
    expect(joined).to.be.greaterThan(8);
  });

  it('takes a long chain of families in one walk', () => {
    const g = graph({ x }, ({ x: v }) => {
      let y: GraphSymbol = v;
      for (let k = 0; k < 2_000; k++) y = mul(y, div(sum(y), max(y)));
      return { y };
    }) as Graph;
    const { graph: joined } = applyPasses(g, [eliminateDeadNodes, fuseSiblings], contextFor(g));
    expect(stepsIn(joined)).to.have.length(2_000);
  });
});

/** The same elements with the axes swapped: a view. */
const transposed = (t: Tensor): Tensor => ops['transpose'](t) as Tensor;
