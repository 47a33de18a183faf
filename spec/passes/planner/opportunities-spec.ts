/** @file What can be joined: kinds and patterns, each on a graph of its own and not on what only looks like it. */
import { expect } from 'chai';
import { abs, add, clip, div, einsum, evaluateSync, exp, findFusionOpportunities, fuse, FUSION_PATTERNS, graph, input, js, matmul, max, mean, min, mul, named, neg, outer, relu, sigmoid, sqrt, square, sub, sum, tanh, tensor, transpose, unsqueeze, type FusionOpportunity, type FusionPattern, type FusionType, type Graph, type GraphSymbol } from '../../../src/index.js'; // prettier-ignore
import { findNode, nameOf } from '../../../src/graph/graph.js';
import { differentBits } from '../../support/sameBits.js';

type Symbols = Readonly<Record<'x' | 'y' | 'w' | 'b' | 'c', GraphSymbol>>;
type Made = GraphSymbol | Readonly<Record<string, GraphSymbol>>;

const INPUTS = { x: input([64, 32]), y: input([64, 32]), w: input([32, 32]), b: input([32]), c: input([64, 1]) };
const waves = (...shape: readonly [number, number]) => tensor(Array.from({ length: shape[0] }, (_, k) => Array.from({ length: shape[1] }, (_each, i) => Math.sin(k * 7 + i)))); // prettier-ignore
const FEEDS = { x: waves(64, 32), y: waves(64, 32), w: waves(32, 32), b: tensor(Array.from({ length: 32 }, (_, k) => Math.cos(k))), c: waves(64, 1) }; // prettier-ignore
const isSymbol = (made: Made): made is GraphSymbol => 'id' in made;
const of = (make: (all: Symbols) => Made): Graph =>
  graph(INPUTS, (all) => {
    const made = make(all);
    return isSymbol(made) ? { out: made } : made;
  });
const found = (make: (all: Symbols) => Made): readonly FusionOpportunity[] => findFusionOpportunities(of(make));
const row = { axis: -1, keepdims: true };

/** Ops of the groups, by kind. */
const kinds = (make: (all: Symbols) => Made, maxDepth = 3): readonly string[] => {
  const g = of(make);
  return findFusionOpportunities(g, { maxDepth }).map(
    ({ kind, nodes }) => `${kind}: ${nodes.map((id) => findNode(g, id)!.op).join(' ')}`,
  );
};

describe('findFusionOpportunities', () => {
  const examples: Readonly<Record<FusionType['kind'], readonly [make: (all: Symbols) => Made, groups: string, not: (all: Symbols) => Made]>> = {
    ElementWise: [({ x }) => relu(neg(x)), 'ElementWise: neg relu', ({ x }) => ({ n: neg(x), r: relu(x) })],
    Einsum: [({ x, w, b }) => add(matmul(x, w), b), 'Einsum: matmul add', ({ x, w, b }) => ({ m: matmul(x, w), r: relu(b) })],
    Reduction: [({ x }) => sum(abs(x)), 'Reduction: abs sum', ({ x }) => ({ a: abs(x), s: sum(x) })],
    ReductionElementWise: [({ x }) => sub(x, mean(x, row)), 'ReductionElementWise: mean sub', ({ x }) => { const m = mean(x, row); return { m, d: sub(x, m) }; }],
    MultiReduction: [({ x }) => mean(square(sub(x, mean(x, row))), row), 'MultiReduction: mean sub square mean', ({ x }) => sum(sum(x, { axis: 1 }))], // prettier-ignore
  }; // prettier-ignore

  for (const [kind, [make, groups, not]] of Object.entries(examples))
    it(`finds ${kind} where it is, and not where it only looks so (F045)`, () => {
      expect(kinds(make, 4)).to.deep.equal([groups]);
      expect(kinds(not, 4).filter((text) => text.startsWith(`${kind}:`))).to.deep.equal([]);
    });

  it('says in each kind what is special to it (F045)', () => {
    const [fold] = found(({ x }) => sum(abs(x)));
    const [contraction] = found(({ x, w, b }) => add(matmul(x, w), b));
    expect(fold.kind === 'Reduction' && fold.reduction).to.equal(6);
    expect(contraction.kind === 'Einsum' && contraction.contractions).to.deep.equal([5]);
    const [merged] = found(({ x, w, b }) => matmul(matmul(x, w), b));
    expect(merged.kind === 'Einsum' && merged.contractions).to.deep.equal([5, 6]);
    expect(merged.cost.separate / merged.cost.fused).to.be.greaterThan(5); // a vector at once, not a matrix
    const [outerThenSum] = found(({ x, w }) => sum(mul(unsqueeze(x, { axis: 2 }), w), { axis: 1 }));
    expect(outerThenSum.kind === 'Einsum' && outerThenSum.contractions).to.deep.equal([]);
    const [several] = found(({ x }) => sub(max(x, row), min(x, row)));
    expect(several.kind === 'MultiReduction' && several.reductions).to.deep.equal([5, 6]);
  });

  it('limits the chains of a group by maxDepth, and not how many groups there are (F044)', () => {
    const chain = of(({ x }) => ['a', 'b', 'c', 'd', 'e', 'f', 'g'].reduce((at, name) => named(name, neg(at)), x));
    const names = (maxDepth?: number): readonly string[] =>
      findFusionOpportunities(chain, maxDepth === undefined ? {} : { maxDepth }).map(({ nodes }) => nodes.map((id) => nameOf(findNode(chain, id)!)).join('')); // prettier-ignore
    expect(names()).to.deep.equal(['bcd', 'efg']);
    expect(names(2)).to.deep.equal(['bc', 'de', 'fg']);
    expect(names(7)).to.deep.equal(['abcdefg']);
    expect(names(1)).to.deep.equal([]);
    for (const maxDepth of [1, 2, 3, 7])
      for (const { depth } of findFusionOpportunities(chain, { maxDepth })) expect(depth).to.be.at.most(maxDepth);
  });

  it('counts the contraction and what follows as one chain, and a fold and what is around it (F044)', () => {
    const dense = of(({ x, w, b }) => relu(add(matmul(x, w), b)));
    const groups = (g: Graph, maxDepth: number): readonly string[] => findFusionOpportunities(g, { maxDepth }).map(({ nodes, depth }) => `${nodes.length} nodes, ${depth} deep`); // prettier-ignore
    expect(groups(dense, 3)).to.deep.equal(['3 nodes, 3 deep']);
    expect(groups(dense, 2)).to.deep.equal(['2 nodes, 2 deep']);
    const variance = of(({ x }) => mean(square(sub(x, mean(x, row))), row));
    expect(groups(variance, 4)).to.deep.equal(['4 nodes, 4 deep']);
    expect(groups(variance, 3)).to.deep.equal(['3 nodes, 3 deep']);
  });

  it('holds no more than maxSize nodes in a group, 8 by default, however flat it is (F044)', () => {
    const flat = of(({ x, y }) => {
      let leaves: readonly GraphSymbol[] = Array.from({ length: 8 }, (_, k) => add(mul(x, k + 2), y));
      while (leaves.length > 1) leaves = leaves.flatMap((each, k) => (k % 2 === 0 ? [add(each, leaves[k + 1])] : []));
      return leaves[0];
    });
    const sizes = (maxSize?: number): readonly number[] => findFusionOpportunities(flat, { maxDepth: Infinity, ...(maxSize === undefined ? {} : { maxSize }) }).map(({ nodes }) => nodes.length); // prettier-ignore
    expect(Math.max(...sizes())).to.equal(8);
    expect(Math.max(...sizes(5))).to.equal(5);
    expect(sizes(Infinity)).to.deep.equal([23]);
  });

  it('lets no group read more than maxOperands values from outside (F048)', () => {
    const wide = of(({ x, y, b, c }) => add(mul(x, y), mul(sub(x, b), sub(y, c))));
    const chain = of(({ x, w, b }) => matmul(matmul(matmul(x, w), w), b));
    const read = (g: Graph, maxOperands: number): readonly number[] => {
      const { graph: after, plan } = fuse(g, { strategy: 'aggressive', maxDepth: 8, maxOperands });
      return plan.opportunities.map(({ nodes }) => findNode(after, nodes.at(-1)!)!.inputs.length);
    };
    expect([read(wide, Infinity), read(chain, Infinity)]).to.deep.equal([[4], [4]]);
    expect(Math.max(0, ...read(wide, 3))).to.equal(3);
    expect(Math.max(0, ...read(chain, 3))).to.be.at.most(3);
  });

  it('joins no value that is an output, is kept, or is read outside of the group (F044)', () => {
    expect(found(({ x }) => { const n = neg(x); return { n, r: relu(n) }; })).to.deep.equal([]); // prettier-ignore
    expect(
      findFusionOpportunities(
        of(({ x }) => relu(named('kept', neg(x)))),
        { keep: ['kept'] },
      ),
    ).to.deep.equal([]);
    expect(found(({ x, w }) => { const n = exp(x); return { r: relu(n), m: matmul(n, w) }; })).to.deep.equal([]); // prettier-ignore
    // A view that two contractions could take in belongs to neither.
    expect(found(({ x, y, w }) => { const t = transpose(x); return { a: matmul(w, t), b: matmul(t, y) }; })).to.deep.equal([]); // prettier-ignore
    expect(kinds(({ x, y }) => matmul(transpose(x), y))).to.deep.equal(['Einsum: transpose matmul']);
    // Both readers are in the group.
    expect(kinds(({ x }) => { const n = exp(x); return add(n, neg(n)); })).to.deep.equal(['ElementWise: exp neg add']); // prettier-ignore
  });
});

describe('patterns of fusions', () => {
  const normalised = ({ x, b, c }: Symbols, mean_: GraphSymbol, over: GraphSymbol, shift: GraphSymbol): GraphSymbol => {
    void [b, c];
    return relu(add(div(sub(x, mean_), over), shift));
  };
  const deviation = (of_: GraphSymbol): GraphSymbol => sqrt(add(of_, 1e-5));
  const cases: Readonly<Record<FusionPattern, readonly [is: (all: Symbols) => Made, ...isNot: readonly ((all: Symbols) => Made)[]]>> = {
    MatMulBias: [
      ({ x, w, b }) => add(matmul(x, w), b),
      ({ x, w, c }) => add(matmul(x, w), c), // one for each row
      ({ x, w, y }) => add(matmul(x, w), y), // a residual
      ({ x, w, b }) => mul(matmul(x, w), b),
      ({ b }) => add(outer(b, b), b), // no sum of products
      ({ x, y, b }) => add(neg(mul(x, y)), b),
    ],
    MatMulActivation: [
      ({ x, w }) => tanh(matmul(x, w)),
      ({ x, w }) => neg(matmul(x, w)),
      ({ x, w }) => { const m = matmul(x, w); return { a: relu(m), b: sigmoid(m) }; }, // prettier-ignore
      ({ x, w, b }) => relu(add(matmul(x, w), b)), // of the biased product
      ({ b }) => relu(outer(b, b)),
    ],
    BiasActivation: [
      ({ x, b }) => relu(add(x, b)),
      ({ x, c }) => relu(add(x, c)),
      ({ x, y }) => relu(add(x, y)),
      ({ x, b }) => neg(add(x, b)),
      ({ x }) => relu(add(x, 1)),
      ({ x, b }) => { const a = add(x, b); return { a: relu(a), b: sum(a) }; }, // prettier-ignore
    ],
    BatchNormReLU: [
      (all) => normalised(all, all.b, deviation(square(all.b)), all.b),
      (all) => normalised(all, all.c, deviation(square(all.b)), all.b), // centred along another axis
      (all) => normalised(all, mean(all.x, row), deviation(all.b), all.b), // a layer's own mean
      (all) => normalised(all, all.b, all.b, all.b), // no deviation
      (all) => normalised(all, all.b, deviation(square(all.b)), all.y),
      ({ x, b }) => neg(div(sub(x, b), deviation(square(b)))),
      ({ x, b }) => { const n = div(sub(x, b), deviation(square(b))); return { a: relu(n), n }; }, // prettier-ignore
    ],
    ElementwiseChain: [
      ({ x }) => exp(neg(x)),
      ({ x }) => sum(abs(x)),
      ({ x, w }) => relu(neg(matmul(x, w))),
      ({ x }) => exp(transpose(neg(x))),
      ({ x }) => { const n = neg(x); return { n, e: exp(n) }; }, // prettier-ignore
    ],
    ReduceElementwise: [
      ({ x }) => exp(sub(x, max(x, row))),
      ({ x }) => sum(abs(x)), // the other way round
      ({ x, y }) => add(x, relu(y)),
      ({ x }) => { const m = max(x, row); return { m, d: sub(x, m) }; }, // prettier-ignore
    ],
    ParallelReductions: [
      ({ x }) => sub(max(x, row), min(x, row)),
      ({ x }) => mean(square(sub(x, mean(x, row))), row), // one of the other
      ({ x, y }) => sub(max(x, row), min(y, { axis: 0, keepdims: true })), // along other axes
      ({ x }) => ({ a: max(x, row), b: min(x, row) }), // nobody reads both
    ],
    BroadcastElementwise: [
      ({ x, c }) => mul(neg(x), c),
      ({ x, y }) => mul(neg(x), y),
      ({ x }) => mul(neg(x), 2), // a number
      ({ x, c }) => ({ a: neg(x), b: mul(x, c) }),
    ],
  }; // prettier-ignore

  it('are those of the list; there is no convolution to find one in (F046)', () => {
    expect(Object.keys(cases)).to.deep.equal([...FUSION_PATTERNS]);
  });

  for (const [pattern, [is, ...others]] of Object.entries(cases)) {
    const patternsOf = (make: (all: Symbols) => Made): readonly FusionPattern[] =>
      findFusionOpportunities(of(make), { maxDepth: 8 }).flatMap(({ patterns }) => patterns);
    it(`${pattern} is found on its own graph, and on none of ${others.length} that look like it; it changes no bit (F046)`, () => {
      expect(patternsOf(is)).to.include(pattern);
      const g = of(is);
      const [fused, apart] = [fuse(g, { strategy: 'aggressive', maxDepth: 8, patterns: [pattern as FusionPattern] }).graph, g].map((each) => evaluateSync(each, FEEDS, { level: 'none', backend: js() })); // prettier-ignore
      for (const [name, value] of Object.entries(apart)) expect(differentBits(fused[name], value), name).to.equal(undefined);
      others.forEach((other, at) => expect(patternsOf(other), `look-alike ${at}`).not.to.include(pattern));
    });
  }

  it('are found together: a dense layer with its bias and activation, normalised channels (F046)', () => {
    const patternsOf = (make: (all: Symbols) => Made) => findFusionOpportunities(of(make), { maxDepth: 8 }).map(({ kind, patterns }) => [kind, ...patterns].join(' ')); // prettier-ignore
    expect(patternsOf(({ x, w, b }) => relu(add(einsum('ij,jk->ik', x, w), b)))).to.deep.equal([
      'Einsum MatMulBias BiasActivation BroadcastElementwise',
    ]);
    expect(patternsOf(({ x, b }) => relu(add(mul(div(sub(x, b), deviation(b)), b), b)))).to.include('ElementWise BiasActivation BatchNormReLU ElementwiseChain BroadcastElementwise'); // prettier-ignore
    expect(patternsOf(({ x }) => clip(neg(x), { min: 0, max: 1 }))).to.deep.equal(['ElementWise ElementwiseChain']);
  });
});
