/** @file Fold fusion: which nodes share a kernel with a reduction, which stay apart, and that no bit changes. */
import { expect } from 'chai';
import { graph, input, named, type GraphSymbol } from '../../src/graph/builder.js';
import { isOpNode, nodesOf, type Graph } from '../../src/graph/graph.js';
import { abs, add, div, exp, gradient, log, logSoftmax, max, mean, mul, relu, sigmoid, softmax, sqrt, square, sub, sum } from '../../src/index.js'; // prettier-ignore
import type { FusedStep } from '../../src/ops/fused.js';
import { applyPasses, eliminateDeadNodes, fuseFolds, LEVELS } from '../../src/passes/index.js';
import { contextFor, printed, rewritten, type Demands } from '../support/rewritten.js';
import { normalOf, row, softmaxOf } from '../support/writtenRows.js';

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
const ROWS = [8, 100];
const x = input(ROWS);

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
    const g = applyPasses(gradient(loss, { of: 'y', wrt: ['x'] }), [eliminateDeadNodes], { keep: [], maxFusedNodes: 128 }).graph;
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
    expect(fusedBy(thrice).map((line) => line.replace(/:.*/, ''))).to.deep.equal([
      'e = sigmoid(x)',
      'y * = fusedFold(e, constant_6)',
    ]);
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
    for (const dims of [
      [20, 8],
      [4, 10_000],
    ])
      expect(fusedBy(of(dims, 1))).to.have.length(2);
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
});
