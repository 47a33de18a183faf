/** @file Batch normalisation in front of nothing but weights: what becomes part of them, what only looks like it, and how near results stay. */
import { expect } from 'chai';
import fc from 'fast-check';
import { constant, graph, input, named, param, type GraphSymbol } from '../../src/graph/builder.js';
import { findNode, isOpNode, nodesOf, type ConstantNode, type Graph } from '../../src/graph/graph.js';
import { add, div, evaluateSync, js, matmul, mul, relu, sqrt, sub, sum, tensor } from '../../src/index.js';
import type { Tensor } from '../../src/index.js';
import { applyPasses, eliminateDeadNodes, foldBatchNorm, foldConstants, LEVELS } from '../../src/passes/index.js';
import { contextFor, printed, rewritten, type Demands } from '../support/rewritten.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const vector = (...values: readonly number[]): Tensor => tensor(Float32Array.from(values), { shape: [values.length] });
const W = tensor(Float32Array.from([1, 2, 3, 4, 5, 6]), { shape: [3, 2] });
const declared = { x: input(['n', 3]), w: constant(W), b: constant(vector(1, 1)), mean: constant(vector(2, 4)), variance: constant(vector(4, 16)), gamma: constant(vector(8, 8)), beta: constant(vector(0.5, 0.25)) }; // prettier-ignore
type Given = Readonly<Record<keyof typeof declared, GraphSymbol>>;

const normalised = ({ mean, variance, gamma, beta }: Given, y: GraphSymbol): GraphSymbol =>
  add(mul(div(sub(y, mean), sqrt(add(variance, 0))), gamma), beta);
const layer = (all: Given): GraphSymbol =>
  named('y', relu(named('bn', normalised(all, named('a', add(named('p', matmul(all.x, all.w)), all.b))))));
const bare = (line: string): string => line.replace(/ \{.*/, '').replace(/ +/g, ' ');
const lines = (g: Graph): readonly string[] =>
  printed(g)
    .filter((line) => line.includes('= '))
    .map(bare);

/** After constants are folded. */
const folded = (g: unknown): Graph => applyPasses(g as Graph, [foldConstants, eliminateDeadNodes], contextFor(g as Graph)).graph;
const after = (g: unknown, demands?: Demands): Graph => rewritten(folded(g), foldBatchNorm, demands).graph;
const isFolded = (g: unknown, demands?: Demands): boolean =>
  rewritten(folded(g), foldBatchNorm, demands).report.rewrites.length > 0;

describe('foldBatchNorm', () => {
  it('scales the weights and moves the bias; the last node keeps its id and name (F046 BatchNormReLU)', () => {
    const g = folded(graph(declared, (all) => ({ y: layer(all) })));
    expect(lines(g)).to.deep.equal(['p = matmul(x, w)', 'a = add(p, b)', 'sub_9 = sub(a, mean)', 'div_13 = div(sub_9, constant_12)', 'mul_14 = mul(div_13, gamma)', 'bn = add(mul_14, beta)', 'y * = relu(bn)']); // prettier-ignore
    const { graph: done, report } = rewritten(g, foldBatchNorm);
    const [first, ...others] = lines(done);
    expect([first.replace(/\d+/g, '#'), ...others.map((line) => line.replace(/_\d+/g, '_#'))].sort()).to.deep.equal(['bn = add(matmul_#, constant_#)', 'matmul_# = matmul(x, constant_#)', 'y * = relu(bn)']); // prettier-ignore
    expect(report.rewrites.map(({ rule }) => rule)).to.deep.equal(['(x·W) · scale + shift = x·W′ + b']);
    const constants = [...nodesOf(done)].filter(({ id }) => id >= g.size).filter(({ op }) => op === 'constant') as ConstantNode[];
    // γ/√v is 4 and 2; (1 − mean)·γ/√v + β is −3.5 and −5.75.
    expect(constants.map(({ value }) => value.toArray())).to.deep.equal([[[4, 4], [12, 8], [20, 12]], [-3.5, -5.75]]); // prettier-ignore
  });

  it('is part of aggressive, where product, bias and activation are one kernel', () => {
    const g = graph(declared, (all) => ({ y: layer(all) })) as Graph;
    const ops = (level: 'standard' | 'aggressive') => [...nodesOf(applyPasses(g, LEVELS[level], contextFor(g)).graph)].filter(isOpNode).map(({ op, params }) => [op, (params['steps'] as unknown[] | undefined)?.length]); // prettier-ignore
    expect(ops('aggressive')).to.deep.equal([['fusedContraction', 3]]);
    expect(ops('standard').at(-1)).to.deep.equal(['fusedContraction', 7]);
  });

  it('takes normalisation without a bias, by one factor, and of a difference the other way round', () => {
    const rules: readonly ((all: Given) => GraphSymbol)[] = [
      (all) => normalised(all, matmul(all.x, all.w)),
      (all) => add(mul(matmul(all.x, all.w), 3), all.beta),
      (all) => mul(sub(all.mean, matmul(all.x, all.w)), all.gamma),
    ];
    const x = tensor([[1, -2, 0.5], [3, 1, 1]]); // prettier-ignore
    for (const rule of rules) {
      const g = graph(declared, (all) => ({ y: rule(all) }));
      expect(isFolded(g)).to.equal(true);
      expect(evaluateSync(g, { x }, { level: 'aggressive', backend: js() }).y.toArray()).to.deep.equal(evaluateSync(g, { x }, { level: 'none', backend: js() }).y.toArray()); // prettier-ignore
    }
  });

  it('leaves apart what only looks alike: params, other axes, values that are read elsewhere, no scale, numbers out of range', () => {
    const of = (rule: (all: Given) => Record<string, GraphSymbol>, more: object = {}) => graph({ ...declared, ...more }, (all) => rule(all as Given)); // prettier-ignore
    const product = ({ x, w }: Given): GraphSymbol => matmul(x, w);
    const apart: Record<string, unknown> = {
      'weights that a feed may override': of((all) => ({ y: layer(all) }), { w: param(W) }),
      'a scale that a feed may override': of((all) => ({ y: add(mul(product(all), all.gamma), all.beta) }), {
        gamma: param(vector(2, 2)),
      }),
      'a scale a row': of((all) => ({ y: add(mul(product(all), constantOf(tensor([[2], [3]]))), all.beta) }), {
        x: input([2, 3]),
      }),
      'a product that two read': of((all) => ((p) => ({ y: normalised(all, p), z: sum(p) }))(product(all))),
      'a product that is an output': of((all) => ((p) => ({ p, y: normalised(all, p) }))(product(all))),
      'a bias alone': of((all) => ({ y: sub(add(product(all), all.b), all.mean) })),
      'an activation between': of((all) => ({ y: add(mul(relu(product(all)), all.gamma), all.beta) })),
      'weights on the left': of(({ x, w, b, gamma }) => ({ y: add(mul(matmul(w, x), gamma), b) }), { x: input([2, 2]) }),
      'a divisor of 0': of((all) => ({ y: add(div(product(all), all.b), all.beta) }), { b: constant(vector(0, 1)) }),
      'weights that vanish': of((all) => ({ y: add(mul(product(all), all.b), all.beta) }), { b: constant(vector(1e-38, 1)) }),
      'weights that overflow': of((all) => ({ y: add(mul(product(all), all.b), all.beta) }), { b: constant(vector(1e38, 1)) }),
      'a result that is divided by': of((all) => ({ y: add(div(all.gamma, product(all)), all.beta) })),
    };
    for (const [why, g] of Object.entries(apart)) expect(isFolded(g), why).to.equal(false);
    const g = graph(declared, (all) => ({ y: layer(all) }));
    for (const name of ['p', 'a']) expect(isFolded(g, { keep: [name] }), `kept ${name}`).to.equal(false);
  });

  it('stays within roundings of the terms (J12)', () => {
    const small = fc.integer({ min: -4000, max: 4000 }).map((k) => k / 1000);
    const sized = (count: number, of = small) => fc.array(of, { minLength: count, maxLength: count });
    const positive = fc.integer({ min: 100, max: 4000 }).map((k) => k / 1000);
    const drawn = fc.tuple(sized(6), sized(12), sized(4), sized(4), sized(4, positive), sized(4), sized(4));
    fc.assert(
      fc.property(drawn, ([x, w, b, m, v, g, t]) => {
        const weights = tensor(Float32Array.from(w), { shape: [3, 4] });
        const made = graph({ x: input([2, 3]), w: constant(weights), b: constant(vector(...b)), mean: constant(vector(...m)), variance: constant(vector(...v)), gamma: constant(vector(...g)), beta: constant(vector(...t)) }, (all) => ({ y: normalised(all, add(matmul(all.x, all.w), all.b)) })); // prettier-ignore
        const feeds = { x: tensor(Float32Array.from(x), { shape: [2, 3] }) };
        const [got, want] = (['aggressive', 'none'] as const).map((level) => evaluateSync(made, feeds, { level, backend: js() }).y.data as Float32Array); // prettier-ignore
        want.forEach((value, k) => {
          const [row, column] = [Math.floor(k / 4), k % 4];
          const terms = [0, 1, 2].reduce((total, i) => total + Math.abs(x[3 * row + i] * w[4 * i + column]), Math.abs(b[column]) + Math.abs(m[column])); // prettier-ignore
          const size = (terms * Math.abs(g[column])) / Math.sqrt(v[column]) + Math.abs(t[column]);
          // Each of nine roundings is at most half a unit of a term's size.
          expect(Math.abs(got[k] - value)).to.be.at.most(9 * 2 ** -24 * size + 1e-37);
        });
      }),
      { seed: propertySeed(), numRuns: propertyRuns(50, 1_000, 20_000) },
    );
  });

  it('reports nothing where there is nothing to do', () => {
    const g = graph({ x: input([2, 3]), w: input([3, 2]) }, ({ x, w }) => ({ y: mul(matmul(x, w), 2) })) as Graph;
    expect(rewritten(g, foldBatchNorm).report).to.deep.equal({ pass: 'foldBatchNorm', patches: [], inverse: [], rewrites: [] });
    expect(findNode(after(graph(declared, (all) => ({ y: layer(all) }))), 0)?.name).to.equal('x');
  });
});

/** A constant within a rule. */
const constantOf = (value: Tensor): GraphSymbol => value as unknown as GraphSymbol;
