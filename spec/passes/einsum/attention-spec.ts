/** @file Attention, however it is written: a contraction, a softmax, a contraction, and no kernel that copies. */
import { expect } from 'chai';
import type { KernelIR } from '../../../src/codegen/ir.js';
import { graph, input, param } from '../../../src/graph/builder.js';
import { einsum, evaluateSync, matmul, mul, reshape, softmax, steps, transpose, type Level } from '../../../src/index.js';
import { nodesOf, type Graph } from '../../../src/graph/graph.js';
import type { Tensor } from '../../../src/tensor/index.js';
import { tensorOver } from '../../../src/tensor/tensor.js';
import { numElements, type Shape } from '../../../src/tensor/shape.js';
import { counting } from '../../support/countingBackend.js';

const [batch, heads, queries, keys, size] = [2, 3, 6, 7, 8];
const perm = [0, 2, 1, 3];
const scale = size ** -0.5;

const value = (shape: Shape): Tensor =>
  tensorOver(
    Float32Array.from({ length: numElements(shape) }, (_, i) => ((i * 7) % 11) / 11 - 0.4),
    'float32',
    shape,
  );

const flat = { q: input([queries, size]), k: input([keys, size]), v: input([keys, size]) };
const split = {
  q: input([batch, queries, heads, size]),
  k: input([batch, keys, heads, size]),
  v: input([batch, keys, heads, size]),
};
const WRITTEN: Readonly<Record<string, unknown>> = {
  'with einsum': graph(flat, ({ q, k, v }) => ({ y: einsum('qk,kd->qd', softmax(mul(einsum('qd,kd->qk', q, k), scale)), v) })),
  'with transpose and matmul': graph(flat, ({ q, k, v }) => ({ y: matmul(softmax(mul(matmul(q, transpose(k)), scale)), v) })),
  'with einsum, of several heads': graph(split, ({ q, k, v }) => ({
    y: einsum('bhqk,bkhd->bqhd', softmax(mul(einsum('bqhd,bkhd->bhqk', q, k), scale)), v),
  })),
  'with transpose and matmul, of several heads that are joined again': graph(split, ({ q, k, v }) => {
    const scores = matmul(transpose(q, { perm }), transpose(k, { perm: [0, 2, 3, 1] }));
    const mixed = transpose(matmul(softmax(mul(scores, scale)), transpose(v, { perm })), { perm });
    return { y: reshape(mixed, { shape: [batch, queries, heads * size] }) };
  }),
};

/** `contraction`, `softmax` or `copy`, for each kernel that runs. */
const kindOf = (ir: KernelIR): string =>
  ir.kind !== 'nest' ? ir.kind : ir.folds.length === 0 ? 'copy' : ir.emits === 'element' ? 'softmax' : 'contraction';

function kernels(g: unknown, level: Level): { readonly kinds: readonly string[]; readonly runs: number; readonly y: Tensor } {
  const counted = counting();
  const inputs = [...nodesOf(g as Graph)].filter((node) => node.op === 'input') as { name: string; dims: Shape }[];
  const feeds = Object.fromEntries(inputs.map(({ name, dims }) => [name, value(dims)]));
  const { y } = evaluateSync(g as Graph, feeds, { level, backend: counted.backend });
  // Equal kernels are compiled once.
  return { kinds: counted.compiled.map(kindOf), runs: counted.runs(), y };
}

describe('attention', () => {
  for (const [title, g] of Object.entries(WRITTEN))
    it(`${title} is a contraction, a softmax and a contraction, without a copy`, () => {
      const { kinds, runs, y } = kernels(g, 'aggressive');
      expect(runs).to.equal(3);
      expect(kinds).to.deep.equal(['contraction', 'softmax', 'contraction']);
      const want = kernels(g, 'none').y.data as Float32Array;
      (y.data as Float32Array).forEach((got, i) => expect(Math.abs(got - want[i])).to.be.at.most(1e-6));
    });

  it('has no views between its kernels but the last one', () => {
    const joined = WRITTEN['with transpose and matmul, of several heads that are joined again'];
    const ops = steps(joined as Graph, { level: 'aggressive' }).map(({ node }) => node.op);
    expect(ops).to.deep.equal(['einsum', 'fusedFold', 'einsum', 'reshape']);
    expect(kernels(joined, 'standard').kinds).to.include('copy');
  });

  it('of projected heads leaves the projections, and copies nothing either', () => {
    const w = () => param(value([heads * size, heads * size]));
    const g = graph({ x: input([batch, queries, heads * size]), a: w(), b: w(), c: w() }, ({ x, a, b, c }) => {
      const head = (weight: typeof a) =>
        transpose(reshape(matmul(x, weight), { shape: [batch, queries, heads, size] }), { perm });
      const scores = mul(matmul(head(a), transpose(head(b), { perm: [0, 1, 3, 2] })), scale);
      return { y: reshape(transpose(matmul(softmax(scores), head(c)), { perm }), { shape: [batch, queries, heads * size] }) };
    });
    const ops = steps(g, { level: 'aggressive' }).map(({ node }) => node.op);
    expect(ops.filter((op) => op === 'matmul')).to.have.length(3);
    expect(kernels(g, 'aggressive').kinds).to.not.include('copy');
  });
});
