/** @file Contractions joined with their producers: what becomes one einsum, and what stays apart. */
import { expect } from 'chai';
import { graph, input, named, param } from '../../../src/graph/builder.js';
import type { Graph } from '../../../src/graph/graph.js';
import { add, broadcastTo, dot, einsum, evaluateSync, js, matmul, mul, neg, outer, printPath, relu, squeeze, sum, transpose, unsqueeze } from '../../../src/index.js'; // prettier-ignore
import type { GraphSymbol } from '../../../src/index.js';
import { mergeEinsums } from '../../../src/passes/index.js';
import { ones } from '../../../src/tensor/index.js';
import { printed, rewritten, type Demands } from '../../support/rewritten.js';

/** The computing nodes that are left. */
const left = (g: unknown, demands?: Demands): readonly string[] =>
  printed(rewritten(g as Graph, mergeEinsums, demands).graph)
    .filter((line) => line.includes('='))
    .map((line) => line.replace(/ +/g, ' '));

const n = 8;
const matrices = { a: input([n, n]), b: input([n, n]), c: input([n, n]), v: input([n]) };
type Symbols = Readonly<Record<keyof typeof matrices, GraphSymbol>>;
const of = (build: (symbols: Symbols) => GraphSymbol) => graph(matrices, (symbols) => ({ y: build(symbols) }));
const unchanged = (g: unknown, demands?: Demands): void => {
  expect(rewritten(g as Graph, mergeEinsums, demands).report.patches).to.deep.equal([]);
};

describe('mergeEinsums (B14)', () => {
  it('joins a join in two steps into one contraction of joined subscripts (F045)', () => {
    const g = of(({ a, b }) => einsum('acb->ab', named('all', einsum('ac,cb->acb', a, b)))) as Graph;
    expect(printed(g)).to.deep.equal([
      'a     input [8, 8] float32',
      'b     input [8, 8] float32',
      'c     input [8, 8] float32',
      'v     input [8] float32',
      'all   = einsum(a, b) {"spec":"ac,cb->acb"}',
      'y   * = einsum(all) {"spec":"acb->ab"}',
    ]);
    const { graph: after, report } = rewritten(g, mergeEinsums);
    expect(printed(after)).to.deep.equal([
      'a   input [8, 8] float32',
      'b   input [8, 8] float32',
      'c   input [8, 8] float32',
      'v   input [8] float32',
      'y * = einsum(a, b) {"spec":"ac,cb->ab"}',
    ]);
    expect(after.outputs).to.deep.equal(g.outputs);
    const [{ rule, from, into, path }] = report.rewrites;
    expect({ rule, from, into }).to.deep.equal({ rule: 'joined as ac,cb->ab', from: [4], into: 5 });
    expect(printPath(path!).split('\n').slice(0, 3)).to.deep.equal(['ac,cb->ab', '  order:                optimal', '  flops:                1024']); // prettier-ignore
  });

  it('reads through transposes, and takes diagonals and sums over axes into the subscripts', () => {
    expect(left(of(({ a, b }) => einsum('abc->ab', transpose(einsum('ac,cb->acb', a, b), { perm: [0, 2, 1] }))))).to.deep.equal(['y * = einsum(a, b) {"spec":"ac,cb->ab"}']); // prettier-ignore
    expect(left(of(({ a, b }) => einsum('ii->', matmul(a, b))))).to.deep.equal(['y * = einsum(a, b) {"spec":"ia,ai->"}']);
    expect(left(of(({ a, b }) => sum(matmul(a, b), { axis: 1 })))).to.deep.equal(['y * = einsum(a, b) {"spec":"ab,bc->a"}']);
    expect(left(of(({ a, b }) => sum(sum(einsum('ac,cb->acb', a, b), { axis: 1 }), { axis: 0 })))).to.deep.equal(['y * = einsum(a, b) {"spec":"ab,bc->c"}']); // prettier-ignore
    expect(left(of(({ a, b }) => matmul(transpose(a), transpose(b))))).to.deep.equal(['y * = einsum(a, b) {"spec":"ab,ca->bc"}']);
  });

  it('makes a contraction of a product of operands that it repeats, summed', () => {
    const product = ({ a, b }: Symbols) => mul(unsqueeze(a, { axis: 2 }), unsqueeze(b, { axis: 0 }));
    expect(left(of((all) => sum(product(all), { axis: 1 })))).to.deep.equal(['y * = einsum(a, b) {"spec":"ab,bc->ac"}']);
    expect(left(of((all) => sum(product(all), { axis: 1, keepdims: true })))).to.deep.equal(['y * = einsum(a, b) {"sizes":{"d":1},"spec":"ab,bc->adc"}']); // prettier-ignore
    expect(left(of((all) => squeeze(sum(product(all), { axis: 1, keepdims: true }), { axis: 1 })))).to.have.length(2);
    expect(left(graph({ a: input(['n', 'k']), b: input(['k', 'm']) }, ({ a, b }) => ({ y: sum(product({ a, b } as Symbols), { axis: 1 }) })))).to.deep.equal(['y * = einsum(a, b) {"spec":"ab,bc->ac"}']); // prettier-ignore
  });

  it('leaves a product that repeats nothing to the fusion of reductions', () => {
    unchanged(of(({ a }) => sum(mul(a, a))));
    unchanged(of(({ a, v }) => sum(mul(a, v), { axis: 1 })));
  });

  it('reads through broadcasts whose size another operand has', () => {
    const wide = ({ v }: Symbols) => broadcastTo(unsqueeze(v, { axis: 1 }), { shape: [n, n] });
    expect(left(of((all) => matmul(wide(all), all.a)))).to.deep.equal(['y * = einsum(v, a) {"spec":"a,bc->ac"}']);
    // Summed with nothing else along it, a repeated axis is a factor: no subscript says so.
    expect(left(of((all) => einsum('ij->i', wide(all))))[0]).to.match(/unsqueeze/);
    expect(left(of((all) => einsum('ij,i->i', wide(all), all.v))).at(-1)).to.match(/"ij,i->i"/);
    // Repeated in the result, it is stated.
    expect(left(of(({ v }) => einsum('ij->ji', broadcastTo(v, { shape: [3, n] }))))).to.deep.equal(['y * = einsum(v) {"sizes":{"i":3},"spec":"j->ji"}']); // prettier-ignore
  });

  it('orders a chain anew where that takes less work, and leaves it where it does not', () => {
    expect(left(of(({ a, b, c, v }) => matmul(matmul(matmul(a, b), c), v)))).to.deep.equal(['y * = einsum(a, b, c, v) {"spec":"ab,bc,cd,d->a"}']); // prettier-ignore
    unchanged(of(({ a, b, c }) => matmul(matmul(a, b), c)));
    unchanged(of(({ a, b, v }) => matmul(a, matmul(b, v))));
    expect(left(of(({ a, b, v }) => dot(dot(a, b), v)))).to.deep.equal(['y * = einsum(a, b, v) {"spec":"ab,bc,c->a"}']);
    expect(left(of(({ a, v }) => matmul(outer(v, v), a)))).to.deep.equal(['y * = einsum(v, v, a) {"spec":"a,b,bc->ac"}']);
  });

  it('joins chains of more than ten operands where the sizes are known, as far as letters go', () => {
    const powers = (count: number) =>
      of(({ a, v }) => {
        let y = a;
        for (let at = 1; at < count; at++) y = matmul(y, a);
        return matmul(y, v);
      });
    const lines = left(powers(20));
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^y \* = einsum\((a, ){20}v\)/);
    expect(left(powers(60)).length).to.be.below(40);
  });

  it('writes a contraction in the order of axes that a transposition gives it, but along the same last axis', () => {
    const heads = graph({ p: input([2, 3, 4, 5]), v: input([2, 3, 5, 6]) }, ({ p, v }) => ({ y: transpose(matmul(p, v), { perm: [0, 2, 1, 3] }) })); // prettier-ignore
    expect(left(heads)).to.deep.equal(['y * = einsum(p, v) {"spec":"abcd,abde->acbe"}']);
    unchanged(of(({ a, b }) => transpose(matmul(a, b))));
    unchanged(of(({ a }) => transpose(relu(a))));
  });

  it('leaves a contraction apart that is read twice, is an output, or is kept', () => {
    const twice = of(({ a, b, v }) => {
      const p = named('p', einsum('ac,cb->acb', a, b));
      return add(einsum('acb->ab', p), einsum('acb,b->ab', p, v));
    });
    unchanged(twice);
    unchanged(of(({ a, b }) => {
      const p = matmul(a, b);
      return einsum('ij,ij->', p, p);
    })); // prettier-ignore
    const visible = graph(matrices, ({ a, b }) => {
      const p = named('p', einsum('ac,cb->acb', a, b));
      return { p, y: einsum('acb->ab', p) };
    });
    unchanged(visible);
    unchanged(
      of(({ a, b }) => einsum('acb->ab', named('p', einsum('ac,cb->acb', a, b)))),
      { keep: ['p'] },
    );
    // A view of it that is read twice does not make it two.
    unchanged(of(({ a, b }) => {
      const p = unsqueeze(matmul(a, b), { axis: 0 });
      return add(relu(p), neg(p));
    })); // prettier-ignore
  });

  it('leaves values apart that would not be rounded or wrapped as they were', () => {
    const mixed = (dtype: 'int32' | 'float32', other: 'float32' | 'float64') =>
      graph({ a: input([4, 4], { dtype }), b: input([4, 4], { dtype }), v: input([4], { dtype: other }) }, ({ a, b, v }) => ({ y: matmul(matmul(a, b), v) })); // prettier-ignore
    unchanged(mixed('int32', 'float32'));
    unchanged(mixed('float32', 'float64'));
    expect(left(graph({ a: input([4, 4], { dtype: 'bool' }), v: input([4], { dtype: 'int32' }) }, ({ a, v }) => ({ y: matmul(matmul(a, a), v) })))).to.have.length(1); // prettier-ignore
  });

  it('takes a sum over no axes for no view: it adds 0, which makes 0 of −0', () => {
    const g = graph({ v: input([2]), s: input([]) }, ({ v, s }) => ({
      y: sum(mul(unsqueeze(v, { axis: 1 }), v), { axis: [] }),
      z: mul(sum(s), sum(mul(s, s))),
    }));
    expect(rewritten(g, mergeEinsums).report.patches).to.deep.equal([]);
    const feeds = { v: [1, -0], s: -0 };
    for (const level of ['none', 'aggressive'] as const) {
      const { y, z } = evaluateSync(g, feeds, { backend: js(), level });
      expect(
        [...y.data, ...z.data].map((value) => Object.is(value, 0) || value),
        level,
      ).to.deep.equal([1, true, true, true, true]);
    }
  });

  it('leaves what lies behind another op, what has no elements, and ranks that are not known', () => {
    unchanged(of(({ a, b, v }) => matmul(relu(matmul(a, b)), v)));
    unchanged(graph({ a: input([0, 4]), b: input([4, 4]), v: input([4]) }, ({ a, b, v }) => ({ y: matmul(matmul(a, b), v) })));
    unchanged(graph({ a: input([null, 4]), b: input([4, 4]) }, ({ a, b }) => ({ y: sum(matmul(b, squeeze(a))) })));
  });

  it('names axes of an ellipsis, and letters that both specs use for something else', () => {
    const batched = graph({ a: input([2, 3, 4, 5]), b: input([5, 6]) }, ({ a, b }) => ({ y: einsum('i...->...', einsum('...j,ji->i...', a, b)) })); // prettier-ignore
    expect(left(batched)).to.deep.equal(['y * = einsum(a, b) {"spec":"abcj,ji->abc"}']);
    expect(left(of(({ a, b }) => einsum('ij,j->i', einsum('ji,ik->jk', a, b), einsum('ij->j', a)))).at(-1)).to.match(
      /"ia,aj,bj->i"/,
    );
  });

  it('leaves graphs without contractions as they are, and reads nothing of them but their ops', () => {
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({ y: relu(add(x, neg(x))) })) as Graph;
    expect(rewritten(g, mergeEinsums).report).to.deep.equal({ pass: 'mergeEinsums', patches: [], inverse: [], rewrites: [] });
  });

  it('gives equal joins the same parameters, so that they are compiled once', () => {
    const g = graph(matrices, ({ a, b, c }) => ({ y: sum(matmul(a, b)), z: sum(matmul(b, c)) })) as Graph;
    const { graph: after } = rewritten(g, mergeEinsums);
    const [first, second] = after.outputs.map(({ id }) => after.chunks[0][id] as { readonly params: object });
    expect(first.params).to.equal(second.params);
  });
});

describe('a joined contraction of params, which may be fed in other sizes', () => {
  const declared = { x: input([4, 2]), w: param(ones([2, 6])), u: param(ones([6, 2])) };

  it('is joined where an einsum would stretch them too, and not where a product would refuse them', () => {
    expect(left(graph(declared, ({ x, w, u }) => ({ y: einsum('ij,jk->ik', einsum('ij,jk->ik', x, w), u) })))).to.deep.equal(['y * = einsum(x, w, u) {"spec":"ia,aj,jk->ik"}']); // prettier-ignore
    unchanged(graph(declared, ({ x, w, u }) => ({ y: matmul(matmul(x, w), u) })));
  });

  it('states sizes that only their shapes show', () => {
    const g = graph({ x: input([6, 'n']), w: param(ones([6])) }, ({ x, w }) => ({
      y: einsum('ij,i->j', x, broadcastTo(w, { shape: [6] })),
    }));
    expect(left(g)).to.deep.equal(['y * = einsum(x, w) {"spec":"ij,i->j"}']);
    const alone = graph({ w: param(ones([6])) }, ({ w }) => ({
      y: einsum('ij,i->j', broadcastTo(unsqueeze(w, { axis: 1 }), { shape: [6, 1] }), w),
    }));
    expect(left(alone)).to.deep.equal(['y * = einsum(w, w) {"sizes":{"i":6,"j":1},"spec":"i,i->j"}']);
  });
});
