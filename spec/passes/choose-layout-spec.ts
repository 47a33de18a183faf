/** @file Layout choice: which transposes sink, how far, and what they leave; what stays as it is, and why. */
import { expect } from 'chai';
import { add, argmax, chooseLayout, compile, evaluateSync, exp, gradient, graph, input, js, layerNorm, matmul, max, mean, mul, named, neg, nodesOf, param, relu, reshape, softmax, sub, sum, tensor, transpose, where, zeros, type Graph, type GraphSymbol } from '../../src/index.js'; // prettier-ignore
import { chunked, type Node } from '../../src/graph/graph.js';
import { applyPass } from '../../src/passes/index.js';
import { contextFor, printed, rewritten } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';

type Value = GraphSymbol;
type Build = (symbols: Readonly<Record<'x' | 'y' | 'u' | 'v' | 'b' | 'i', Value>>) => Value;

const T = (value: Value, perm?: readonly number[]): Value => transpose(value, perm === undefined ? {} : { perm });

/** A graph of one output. */
const of = (build: Build): Graph =>
  graph(
    {
      x: input([2, 3]),
      y: input([2, 3]),
      u: input([2, 3, 4]),
      v: input([2, 3, 4]),
      b: input([2]),
      i: input([2, 3], { dtype: 'int32' }),
    },
    (symbols) => ({ z: build(symbols as never) }),
  );

const numbers = (...shape: readonly number[]) => {
  const like = zeros([...shape]);
  return tensor(
    Float32Array.from({ length: like.size }, (_, at) => Math.sin(at + 1) * 3),
    { shape: [...shape] },
  );
};
const FEEDS = {
  ...{ x: numbers(2, 3), y: numbers(2, 3), u: numbers(2, 3, 4), v: numbers(2, 3, 4), b: numbers(2) },
  i: tensor(Int32Array.from([2 ** 31 - 1, 5, -7, 5, 1, 2 ** 30]), { shape: [2, 3] }),
};

/** What computes, without the inputs: `z * = relu(add_8)`, parameters left out. */
const lines = (g: Graph): readonly string[] =>
  printed(g)
    .filter((line) => line.includes(' = '))
    .map((line) => line.replace(/ +/g, ' ').replace(/ \{.*?"axis":(\[.*?\]|null|\d+).*$/, ' $1').replace(/ \{"perm":(.*)\}$/, ' $1')); // prettier-ignore

describe('chooseLayout', () => {
  it('shows the graph before and after: transposes sink below what is elementwise until they meet and cancel', () => {
    const g = of(({ x, y }) => T(relu(add(T(x), T(y)))));
    expect(lines(g)).to.deep.equal([
      'transpose_6 = transpose(x)',
      'transpose_7 = transpose(y)',
      'add_8 = add(transpose_6, transpose_7)',
      'relu_9 = relu(add_8)',
      'z * = transpose(relu_9)',
    ]);
    const { graph: after, report } = rewritten(g, chooseLayout);
    expect(lines(after)).to.deep.equal(['add_11 = add(x, y)', 'relu_12 * = relu(add_11)']);
    expect(report.rewrites).to.deep.equal([
      { rule: 'transposes go behind what they do not matter to', from: [8], into: 11 },
      { rule: 'transposes go behind what they do not matter to', from: [9], into: 12 },
      { rule: 'a transpose of a transpose', from: [10], into: 12 },
    ]);
  });

  const SINK: readonly { readonly title: string; readonly build: Build; readonly after: readonly string[] }[] = [
    {
      title: 'three transposed operands become one transposed result: to hand it out against the order is as good as two reads',
      build: ({ x, y, i }) => where(T(i), T(x), T(y)),
      after: ['where_10 = where(i, x, y)', 'z * = transpose(where_10) [1,0]'],
    },
    {
      title: 'softmax along an axis is softmax along that of what lies there, which it reads three times',
      build: ({ x }) => softmax(T(x), { axis: 0 }),
      after: ['softmax_8 = softmax(x) [1]', 'z * = transpose(softmax_8) [1,0]'],
    },
    {
      title: 'a fold that leaves one axis needs no transpose behind it',
      build: ({ x, y }) => sum(mul(T(x), T(y)), { axis: 0 }),
      after: ['mul_10 = mul(x, y)', 'z * = sum(mul_10) [1]'],
    },
    {
      title: 'the axes that a fold leaves stay in the order that they were seen in',
      build: ({ u }) => max(T(u, [2, 1, 0]), { axis: 1 }),
      after: ['max_8 = max(u) [1]', 'z * = transpose(max_8) [1,0]'],
    },
    {
      title: 'axes that follow on each other as before are folded together',
      build: ({ u }) => sum(T(u, [2, 0, 1]), { axis: [1, 2] }),
      after: ['z * = sum(u) [0,1]'],
    },
    {
      title: 'sums of integers wrap, so they have no order',
      build: ({ i }) => sum(T(i)),
      after: ['z * = sum(i) null'],
    },
    {
      title: 'a normalisation written out sinks as a whole, its kept axes included',
      build: ({ x }) => T(sub(T(x), mean(T(x), { axis: 0, keepdims: true }))),
      after: ['mean_11 = mean(x) [1]', 'sub_12 * = sub(x, mean_11)'],
    },
    {
      title: 'a scalar and a number stand beside it as they are',
      build: ({ x, y, b }) => T(where(0.5, mul(T(x), 2), add(T(y), sum(b)))),
      after: ['sum_10 = sum(b) null', 'mul_15 = mul(x, constant_7)', 'add_16 = add(y, sum_10)', 'where_17 * = where(constant_12, mul_15, add_16)'], // prettier-ignore
    },
    {
      title: 'an operand of lower rank is given axes of size 1, where it is repeated as before',
      build: ({ x, b }) => T(exp(add(T(x), b))),
      after: ['unsqueeze_10 = unsqueeze(b) [1]', 'add_11 = add(x, unsqueeze_10)', 'exp_12 * = exp(add_11)'],
    },
    {
      title: 'transposes in the middle are seen of the turned value, in the order that both make',
      build: ({ u, v }) => T(exp(T(mul(T(u, [2, 0, 1]), T(v, [2, 0, 1])), [2, 0, 1])), [2, 0, 1]),
      after: ['mul_12 = mul(u, v)', 'exp_13 * = exp(mul_12)'],
    },
    {
      title: 'a contraction takes what is left into its subscripts',
      build: ({ x, y }) => matmul(relu(add(T(x), 1)), y),
      after: ['add_11 = add(x, constant_7)', 'relu_12 = relu(add_11)', 'transpose_9 = transpose(relu_12) [1,0]', 'z * = matmul(transpose_9, y)'], // prettier-ignore
    },
  ];
  for (const { title, build, after } of SINK)
    it(`${title} (F031)`, () => {
      const g = of(build);
      const { graph: turned } = rewritten(g, chooseLayout);
      expect(lines(turned)).to.deep.equal(after);
      const [got, want] = [turned, g].map((each) => evaluateSync(each, FEEDS, { level: 'none', backend: js() }).z);
      expect(differentBits(got, want)).to.equal(undefined);
    });

  const STAYS: readonly { readonly why: string; readonly build: Build }[] = [
    {
      why: 'two operands, each read once, are as good as a result that is handed out',
      build: ({ x, y }) => relu(add(T(x), T(y))),
    },
    {
      why: 'the other operand lies as it is read',
      build: ({ u, v }) => relu(add(T(u, [2, 1, 0]), reshape(v, { shape: [4, 3, 2] }))),
    },
    { why: 'the two are seen in different orders', build: ({ u }) => add(T(u, [0, 2, 1]), T(reshape(u, { shape: [3, 4, 2] }), [2, 1, 0])) }, // prettier-ignore
    { why: 'floats would be added in another order', build: ({ x }) => sum(neg(T(x))) },
    { why: 'the first of all is counted from the start', build: ({ x }) => argmax(T(x)) },
    { why: 'of equal ones, which is the largest is for backends to say', build: ({ u }) => max(T(u), { axis: [0, 1] }) },
    { why: 'weights lie along the axes', build: ({ x, b }) => layerNorm(T(x), b, { axes: 1 }) },
    { why: 'rows stay rows, so that nothing is read against its order', build: ({ u, v }) => mul(T(u, [1, 0, 2]), T(v, [1, 0, 2])) }, // prettier-ignore
    { why: 'a contraction reads a transpose for nothing', build: ({ x, y }) => matmul(T(x), y) },
    { why: 'a reader in between wants the value as it is', build: ({ x }) => reshape(neg(T(x)), { shape: [6] }) },
  ];
  for (const { why, build } of STAYS)
    it(`leaves a graph where ${why}`, () => {
      const g = of(build);
      const { graph: after, report } = rewritten(g, chooseLayout);
      expect(report.patches).to.deep.equal([]);
      expect(after).to.equal(g);
    });

  it('leaves what has no known rank', () => {
    const g = of(({ x, y }) => T(softmax(add(T(x), T(y)))));
    const bare = [...nodesOf(g)].map((node): Node => (node.op === 'input' ? { id: node.id, op: 'input', inputs: [], name: node.name } : node)); // prettier-ignore
    expect(rewritten({ ...g, chunks: chunked(bare) }, chooseLayout).report.patches).to.deep.equal([]);
  });

  it('needs no sizes: names and unknown ones are turned too', () => {
    const g = graph({ x: input(['n', 'm']), y: input([null, 'm']) }, ({ x, y }) => ({ z: transpose(add(transpose(x), transpose(y))) })); // prettier-ignore
    const { graph: after } = rewritten(g, chooseLayout);
    expect(lines(after)).to.deep.equal(['add_6 * = add(x, y)']);
    const feeds = { x: [[1, 2]], y: [[10, 20], [30, 40]] }; // prettier-ignore
    expect(evaluateSync(after, feeds, { level: 'none' }).z.toArray()).to.deep.equal([[11, 22], [31, 42]]); // prettier-ignore
  });

  it('holds for a param that is fed in another shape than it has', () => {
    const g = graph({ x: input([2, 3]), w: param(tensor([[1]])) }, ({ x, w }) => ({ z: transpose(exp(add(transpose(x), w))) }));
    const { graph: after } = rewritten(g, chooseLayout);
    const feeds = { x: FEEDS.x, w: [[1], [2], [3]] };
    const [got, want] = [after, g].map((each) => evaluateSync(each, feeds, { level: 'none', backend: js() }).z);
    expect([...after.outputs.map(({ id }) => id)]).not.to.deep.equal(g.outputs.map(({ id }) => id));
    expect(differentBits(got, want)).to.equal(undefined);
  });

  it('keeps kept values, names and outputs, and drops transposes that nobody reads any more', () => {
    const g = graph({ x: input([2, 3]), y: input([2, 3]) }, ({ x, y }) => {
      const a = named('a', add(named('xt', transpose(x)), named('yt', transpose(y))));
      return { z: transpose(relu(named('b', neg(a)))), w: sum(a, { axis: 0 }) };
    }) as Graph;
    expect(lines(rewritten(g, chooseLayout).graph)).to.have.members([
      'add_9 = add(x, y)',
      'neg_10 = neg(add_9)',
      'w * = sum(add_9) [1]',
      'relu_11 * = relu(neg_10)',
    ]);
    const { graph: kept } = rewritten(g, chooseLayout, { keep: ['a', 'xt'] });
    expect(lines(kept)).to.include.members(['xt = transpose(x)', 'a = transpose(add_9) [1,0]']);
    const at = (each: Graph) => evaluateSync(each, { x: FEEDS.x, y: FEEDS.y }, { level: 'none', keep: ['a', 'xt'] });
    for (const name of ['z', 'w', 'a', 'xt']) expect(differentBits(at(kept)[name], at(g)[name])).to.equal(undefined);
  });

  it('does not look past what middleware watches', () => {
    const g = of(({ x, y }) => T(relu(add(named('watched', T(x)), T(y)))));
    const watched = [...nodesOf(g)].find(({ name }) => name === 'watched')!.id;
    const context = { ...contextFor(g, { keep: ['watched'] }), apart: [watched] };
    expect(applyPass(g, chooseLayout, context).report.patches).to.deep.equal([]);
  });

  it("makes one kernel at level 'aggressive' of what transposes stood between, and takes others into subscripts", () => {
    const ops = (build: Build): readonly string[] =>
      [...nodesOf(compile(of(build), { level: 'aggressive' }))].map(({ op }) => op).filter((op) => op !== 'input' && op !== 'constant'); // prettier-ignore
    expect(ops(({ x, y }) => T(relu(add(T(x), T(y)))))).to.deep.equal(['fused']);
    expect(ops(({ x, y }) => T(relu(T(add(T(x), T(y))))))).to.have.members(['fused', 'transpose']);
    expect(ops(({ x, y }) => matmul(relu(add(T(x), 1)), add(y, 1)))).to.have.members(['einsum', 'fused', 'add']);
  });

  it('turns gradients, which go back through the transposes that values came by', () => {
    const g = of(({ x, y }) => sum(T(exp(mul(T(x), T(y)))), { axis: 1 }));
    const back = gradient(g, { of: 'z', wrt: ['x', 'y'], seed: 'ones' }) as Graph;
    const { graph: after } = rewritten(back, chooseLayout);
    expect([...nodesOf(after)].filter(({ op }) => op === 'transpose')).to.deep.equal([]);
    const [got, want] = [after, back].map((each) => evaluateSync(each, FEEDS, { level: 'none', backend: js() }));
    for (const name of ['x', 'y']) expect(differentBits(got[name], want[name])).to.equal(undefined);
  });

  it('walks a long chain of ops and transposes in a few walks', () => {
    const LENGTH = 20_000;
    const g = of(({ x, y }) => {
      let value: Value = add(T(x), T(y));
      for (let at = 0; at < LENGTH; at++) value = at % 2 === 0 ? neg(value) : relu(T(T(value)));
      return T(value);
    });
    const { graph: after, report } = applyPass(g, chooseLayout, contextFor(g));
    expect([...nodesOf(after)].filter(({ op }) => op === 'transpose')).to.deep.equal([]);
    expect(report.rewrites).to.have.length(2 * LENGTH + 2);
  });

  it('leaves a graph without a transpose', () => {
    expect(
      rewritten(
        of(({ x, y }) => softmax(add(x, y))),
        chooseLayout,
      ).report.patches,
    ).to.deep.equal([]);
  });
});
