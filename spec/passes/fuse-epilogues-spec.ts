/** @file Contraction epilogues: what joins the contraction before it, what stays apart, and that no bit changes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { constant, graph, input, named, param } from '../../src/graph/builder.js';
import { isOpNode, nodesOf, type Graph } from '../../src/graph/graph.js';
import { add, dot, einsum, evaluateSync, js, matmul, maximum, minimum, mul, neg, outer, relu, sigmoid, softmax, steps, sub, sum } from '../../src/index.js'; // prettier-ignore
import type { ComputedDType, GraphSymbol, Tensor } from '../../src/index.js';
import type { FusedStep } from '../../src/ops/fused.js';
import { applyPasses, eliminateDeadNodes, fuseElementwise, fuseEpilogues, LEVELS } from '../../src/passes/index.js';
import { ones, tensor } from '../../src/tensor/index.js';
import { anyEpilogue } from '../support/anyEpilogue.js';
import { contextFor, printed, rewritten, type Demands } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';
import { randomGraph } from '../support/random-graph.js';
import { thrownBy } from '../support/thrownBy.js';
import { propertyRuns, propertySeed } from '../support/property.js';

/** What is left after both fusions, as `name = op(operands): steps`, the last one alone where `alone`. */
function fusedBy(g: unknown, demands?: Demands): readonly string[] {
  const once = rewritten(g as Graph, fuseElementwise, demands).graph;
  return shape(rewritten(once, fuseEpilogues, demands).graph);
}

/** Steps read operands as `0`, `1` … and earlier steps as `.0`, `.1` …. */
function shape(g: Graph): readonly string[] {
  const names = printed(g).filter((line) => line.includes('='));
  const steps = [...nodesOf(g)].filter(isOpNode).map(({ inputs, params }) => {
    const show = (arg: number): string => (arg < inputs.length ? String(arg) : `.${arg - inputs.length}`);
    const list = params['steps'] as readonly FusedStep[] | undefined;
    return list === undefined ? '' : `: ${list.map((step) => `${step.op}(${step.args.map(show).join()})`).join(' ')}`;
  });
  return names.map((line, at) => `${line.replace(/ \{.*/, '').replace(/ +/g, ' ')}${steps[at]}`);
}

describe('fuseEpilogues', () => {
  it('joins a layer into one node, which keeps the id and the name of its last one', () => {
    const g = graph({ x: input(['n', 3]), w: param(ones([3, 4])), b: param(ones([4])) }, ({ x, w, b }) => ({
      y: relu(named('a', add(named('p', matmul(x, w)), b))),
    }));
    expect(fusedBy(g)).to.deep.equal(['y * = fusedContraction(x, w, b): matmul(0,1) add(.0,2) relu(.1)']);
    expect(rewritten(g, fuseElementwise).graph.outputs).to.deep.equal(g.outputs);
  });

  it('joins a step of a transitive closure, a scaled score, and a layer before a softmax', () => {
    const closure = graph({ r: input([5, 5]), one: constant(tensor(1)) }, ({ r, one }) => ({ y: maximum(r, minimum(one, einsum('ij,jk->ik', r, r))) })); // prettier-ignore
    expect(fusedBy(closure)).to.deep.equal(['y * = fusedContraction(r, r, one, r): einsum(0,1) minimum(2,.0) maximum(3,.1)']);
    const scores = graph({ q: input([2, 3, 4]), k: input([2, 5, 4]), c: constant(tensor(0.5)) }, ({ q, k, c }) => ({ y: mul(einsum('bqd,bkd->bqk', q, k), c) })); // prettier-ignore
    expect(fusedBy(scores)).to.deep.equal(['y * = fusedContraction(q, k, c): einsum(0,1) mul(.0,2)']);
    const head = graph({ x: input([2, 3]), w: param(ones([3, 4])), b: param(ones([4])) }, ({ x, w, b }) => ({ y: softmax(named('z', add(matmul(x, w), b))) })); // prettier-ignore
    expect(fusedBy(head)).to.deep.equal(['z = fusedContraction(x, w, b): matmul(0,1) add(.0,2)', 'y * = softmax(z)']);
  });

  it('joins any contraction of two or more operands, also one that sums nothing', () => {
    const g = graph({ a: input([3, 3]), v: input([3]) }, ({ a, v }) => ({
      dotted: neg(dot(a, v)),
      outside: neg(outer(v, v)),
      three: neg(einsum('ij,jk,k->i', a, a, v)),
    }));
    expect(fusedBy(g)).to.deep.equal([
      'dotted * = fusedContraction(a, v): dot(0,1) neg(.0)',
      'outside * = fusedContraction(v, v): outer(0,1) neg(.0)',
      'three * = fusedContraction(a, a, v): einsum(0,1,2) neg(.0)',
    ]);
  });

  it('joins the last of several contractions that one node reads: a recurrent cell', () => {
    const g = graph({ x: input([2, 3]), h: input([2, 3]), w: param(ones([3, 3])) }, ({ x, h, w }) => ({
      y: sigmoid(add(named('p', matmul(x, w)), named('q', matmul(h, w)))),
    }));
    expect(fusedBy(g)).to.deep.equal(['p = matmul(x, w)', 'y * = fusedContraction(h, w, p): matmul(0,1) add(2,.0) sigmoid(.1)']);
  });

  it('leaves a contraction apart that is an output, is kept, or is read elsewhere too', () => {
    const of = (build: (p: GraphSymbol) => Record<string, GraphSymbol>) =>
      graph({ x: input([2, 2]) }, ({ x }) => build(named('p', matmul(x, x))));
    const apart = (names: readonly string[]) => names.map((line) => line.replace(/:.*/, ''));
    expect(apart(fusedBy(of((p) => ({ p, y: relu(p) }))))).to.deep.equal(['p * = matmul(x, x)', 'y * = relu(p)']);
    expect(fusedBy(of((p) => ({ y: relu(p), z: sum(p) })))).to.deep.equal(['p = matmul(x, x)', 'y * = relu(p)', 'z * = sum(p)']);
    expect(
      fusedBy(
        of((p) => ({ y: relu(p) })),
        { keep: ['p'] },
      ),
    ).to.deep.equal(['p = matmul(x, x)', 'y * = relu(p)']);
  });

  it('leaves what is in front, reductions, and contractions of one operand', () => {
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({
      behind: sum(named('p', matmul(named('a', relu(x)), x))),
      single: neg(named('s', einsum('ij->ji', x))),
    }));
    expect(fusedBy(g)).to.deep.equal([
      'a = relu(x)',
      'p = matmul(a, x)',
      'behind * = sum(p)',
      's = einsum(x)',
      'single * = neg(s)',
    ]);
  });

  it('leaves a contraction that its reader repeats, or whose dtype it changes for a wider one', () => {
    const g = graph({ x: input([2, 2]), m: input([3, 2, 2]), d: input([2, 2], { dtype: 'float64' }) }, ({ x, m, d }) => ({
      repeated: add(named('p', matmul(x, x)), m),
      wider: add(named('q', matmul(x, x)), d),
    }));
    expect(fusedBy(g)).to.deep.equal(['p = matmul(x, x)', 'repeated * = add(p, m)', 'q = matmul(x, x)', 'wider * = add(q, d)']);
  });

  it('has no group of more nodes than the backend joins, nor of code without end', () => {
    const chain = (count: number) =>
      graph({ x: input([2, 2]) }, ({ x }) => {
        let y: GraphSymbol = matmul(x, x);
        for (let at = 0; at < count; at++) y = neg(y);
        return { y };
      }) as Graph;
    const joins = (count: number, maxFusedNodes?: number): boolean => fusedBy(chain(count), { maxFusedNodes }).join().includes('fusedContraction'); // prettier-ignore
    expect([joins(1, 1), joins(1, 2), joins(24), joins(25)]).to.deep.equal([false, true, true, false]);
  });

  it('gives equal groups the same parameters, so that they are compiled once', () => {
    const g = graph({ x: input([2, 2]), w: input([2, 2]) }, ({ x, w }) => ({ y: relu(dot(relu(dot(x, w)), w)) })) as Graph;
    const [first, second] = [...nodesOf(rewritten(g, fuseEpilogues).graph)].filter(isOpNode);
    expect(first.params).to.equal(second.params);
  });

  it('reports what it did, and nothing where there is nothing to do', () => {
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({ y: relu(matmul(x, x)) })) as Graph;
    const { report } = rewritten(g, fuseEpilogues);
    expect([report.pass, report.patches.length, report.inverse.length]).to.deep.equal(['fuseEpilogues', 1, 1]);
    const plain = graph({ x: input([2, 2]) }, ({ x }) => ({ y: matmul(x, x) })) as Graph;
    expect(rewritten(plain, fuseEpilogues).report).to.deep.equal({
      pass: 'fuseEpilogues',
      patches: [],
      inverse: [],
      rewrites: [],
    });
    const twice = applyPasses(applyPasses(g, LEVELS.standard, contextFor(g)).graph, LEVELS.standard, contextFor(g));
    expect(twice.reports.flatMap(({ patches }) => patches)).to.deep.equal([]);
  });

  it('keeps the place of what fails: the node that is left, and the step', () => {
    const g = graph({ x: input([null, null]), b: input([null]) }, ({ x, b }) => ({ y: named('z', sub(matmul(x, x), b)) }));
    const error = (feeds: { readonly x: Tensor; readonly b: Tensor }) =>
      thrownBy(() => evaluateSync(g, feeds, { backend: js() }));
    expect([error({ x: ones([2, 3]), b: ones([3]) }).code, error({ x: ones([3, 3]), b: ones([2]) }).code]).to.deep.equal(['E_SHAPE', 'E_SHAPE']); // prettier-ignore
    expect(error({ x: ones([2, 3]), b: ones([3]) }).message).to.match(/z.*matmul/s);
    expect(error({ x: ones([3, 3]), b: ones([2]) }).message).to.match(/z.*sub/s);
  });

  it('changes no bit of any output of random graphs', () => {
    fc.assert(
      fc.property(randomGraph({ maxMoves: 20 }), fc.integer({ min: 2, max: 6 }), ({ graph: g, feeds }, maxFusedNodes) => {
        const expected = evaluateSync(g, feeds, { level: 'none', backend: js() });
        const alone = rewritten(rewritten(g, eliminateDeadNodes).graph, fuseEpilogues, { maxFusedNodes }).graph;
        for (const outputs of [evaluateSync(g, feeds, { backend: js() }), evaluateSync(alone, feeds, { level: 'none', backend: js() })])
          for (const [name, value] of Object.entries(expected)) expect(differentBits(outputs[name], value), name).to.equal(undefined); // prettier-ignore
      }),
      { seed: propertySeed(), numRuns: propertyRuns(30, 1_000, 20_000) },
    );
  });

  it('changes no bit of what follows a contraction, for any form, layout, dtype and ops', function () {
    this.timeout(300_000); // at its full size
    let [joined, all] = [0, 0];
    fc.assert(
      fc.property(anyEpilogue(6), fc.boolean(), ({ inputs, rule }, open) => {
        const names = inputs.map((_, k) => `x${k}`);
        const declared = Object.fromEntries(inputs.map((t, k) => [names[k], input(open ? t.shape.map(() => null) : t.shape, { dtype: t.dtype as ComputedDType })])); // prettier-ignore
        const g = graph(declared, (symbols): Record<string, GraphSymbol> => ({ y: rule(names.map((name) => symbols[name])) }));
        const feeds = Object.fromEntries(inputs.map((t, k) => [names[k], t]));
        const want = evaluateSync(g, feeds, { level: 'none', backend: js() }).y;
        all++;
        if (steps(g).some(({ node }) => node.op === 'fusedContraction')) joined++;
        for (const kernels of ['generate', 'interpret'] as const)
          expect(differentBits(evaluateSync(g, feeds, { backend: js({ kernels }) }).y, want), kernels).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(150, 3_000, 50_000) },
    );
    console.log(`      ${joined} of ${all} contractions joined`);
    expect(joined).to.be.greaterThan(all / 8);
  });
});
