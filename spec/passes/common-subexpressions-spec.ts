/** @file Common subexpressions: what is equal, what is not, and what becomes of names, outputs and kept values. */
import { expect } from 'chai';
import fc from 'fast-check';
import { add, assign, constant, einsum, evaluateSync, exp, graph, input, js, mul, named, neg, nodeCount, param, parseGraph, relu, run, serializeGraph, steps, sub, sum, tensor, type Graph, type GraphSymbol, type Middleware, type Tensor } from '../../src/index.js'; // prettier-ignore
import { map, of } from 'rxjs';
import { isOpNode, nodesOf, type OpNode } from '../../src/graph/graph.js';
import { idOfKey } from '../../src/graph/keys.js';
import { applyPass, eliminateCommonSubexpressions, type PassReport } from '../../src/passes/index.js';
import { planted, plantedGraph } from '../support/planted.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { contextFor, printed, rewritten } from '../support/rewritten.js';

const merged = (g: unknown, keep: readonly string[] = []): readonly string[] =>
  printed(rewritten(g as Graph, eliminateCommonSubexpressions, { keep }).graph).map((line) => line.trimEnd());

const computing = (g: Graph): number => [...nodesOf(g)].filter(isOpNode).length;

describe('eliminateCommonSubexpressions', () => {
  it('computes equal ops on equal operands once, however long the way, and outputs turn to what stays', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({
      y: sum(named('b', exp(named('a', neg(x))))),
      z: sum(named('d', exp(named('c', neg(x))))),
    }));
    expect(printed(g)).to.deep.equal([
      'x   input [2] float32',
      'a   = neg(x)',
      'b   = exp(a)',
      'y * = sum(b) {"axis":null,"keepdims":false}',
      'c   = neg(x)',
      'd   = exp(c)',
      'z * = sum(d) {"axis":null,"keepdims":false}',
    ]);
    expect(merged(g)).to.deep.equal(['x   input [2] float32', 'a   = neg(x)', 'b   = exp(a)', 'y * = sum(b) {"axis":null,"keepdims":false}']); // prettier-ignore
    const { y, z } = evaluateSync(g, { x: [1, 2] });
    expect(z.toArray()).to.equal(y.toArray());
  });

  it('says what went for what', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(add(named('a', exp(x)), named('b', exp(x))), named('c', exp(x))) })) as Graph; // prettier-ignore
    const [a, b, c] = ['a', 'b', 'c'].map((name) => idOfKey(g, name)!);
    const { report } = rewritten(g, eliminateCommonSubexpressions);
    expect(report.rewrites).to.deep.equal([{ rule: 'same as', from: [b, c], into: a }]);
    expect(report.patches).to.have.length(1);
  });

  it('takes a + b for b + a, and never a − b for b − a (F043)', () => {
    const g = graph({ a: input([2]), b: input([2]) }, ({ a, b }) => ({
      sums: mul(named('s', add(a, b)), named('t', add(b, a))),
      differences: mul(named('d', sub(a, b)), named('e', sub(b, a))),
    }));
    expect(merged(g)).to.deep.equal([
      'a             input [2] float32',
      'b             input [2] float32',
      's             = add(a, b)',
      'sums        * = mul(s, s)',
      'd             = sub(a, b)',
      'e             = sub(b, a)',
      'differences * = mul(d, e)',
    ]);
  });

  it('tells parameters apart, and constants bit by bit: 0 from −0, one NaN from another, a dtype or shape from another', () => {
    const nan = (bits: number): Tensor => tensor(new Float32Array(Uint32Array.of(bits).buffer), { shape: [] });
    const pairs: readonly (readonly [Tensor, Tensor, boolean])[] = [
      [tensor(1), tensor(1), true],
      [tensor(0), tensor(-0), false],
      [nan(0x7fc00000), nan(0x7fc00000), true],
      [nan(0x7fc00000), nan(0x7fc00001), false],
      [tensor(1), tensor(1, { dtype: 'int32' }), false],
      [tensor([1]), tensor(1), false],
      [tensor(1), tensor(1.0000001), false],
      [tensor([[1, 2]]), tensor([[1], [2]]), false],
    ];
    for (const [p, q, isEqual] of pairs) {
      const g = graph({ x: input([2]), p: constant(p), q: constant(q) }, ({ x, p: a, q: b }) => ({ y: add(x, a), z: add(x, b) }));
      expect(nodeCount(rewritten(g, eliminateCommonSubexpressions).graph), `${p} ${q}`).to.equal(isEqual ? 3 : 5);
    }
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({
      y: sum(x, { axis: 0 }),
      z: sum(x, { axis: 1 }),
      w: sum(x, { axis: 0 }),
    }));
    expect(computing(rewritten(g, eliminateCommonSubexpressions).graph)).to.equal(2);
    const e = graph({ x: input([2, 2]) }, ({ x }) => ({ y: einsum('ij,jk->ik', x, x), z: einsum('ij,jk->ki', x, x) }));
    expect(computing(rewritten(e, eliminateCommonSubexpressions).graph)).to.equal(2);
  });

  it('leaves inputs and params apart, whatever their values: a feed may give each its own', () => {
    const w = tensor([1, 2]);
    const g = graph({ x: input([2]), y: input([2]), v: param(w), w: param(w) }, ({ x, y, v: a, w: b }) => ({ p: mul(add(x, a), add(x, b)), q: mul(neg(x), neg(y)) })); // prettier-ignore
    expect(merged(g)).to.have.length(printed(g).length);
  });

  it('leaves a kept value where it is, read as before, and computes what follows from it once all the same', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(sum(named('a', exp(x))), sum(named('b', exp(x)))) })) as Graph;
    const [kept, free] = [merged(g, ['b']), merged(g)].map((lines) => lines.map((line) => line.replace(/ \{.*/, '').replace(/ +/g, ' '))); // prettier-ignore
    expect(free).to.deep.equal(['x input [2] float32', 'a = exp(x)', 'sum_2 = sum(a)', 'y * = add(sum_2, sum_2)']);
    expect(kept).to.deep.equal(['x input [2] float32', 'a = exp(x)', 'sum_2 = sum(a)', 'b = exp(x)', 'y * = add(sum_2, sum_2)']);
    const outputs = evaluateSync(g, { x: [0, 0] }, { keep: ['a', 'b'] });
    expect([outputs.a.toArray(), outputs.b.toArray(), outputs.y.toArray()]).to.deep.equal([[1, 1], [1, 1], 4]);
  });

  it('keeps what middleware watches out of it: what it puts in the place of one value is not read for another (J12)', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: sub(sum(named('a', exp(x))), sum(named('b', exp(x)))) })) as Graph;
    const ids = ['a', 'b'].map((name) => idOfKey(g, name)!);
    for (const [watched, want] of [
      [0, -2],
      [1, 2],
    ] as const) {
      // prettier-ignore
      const zero = tensor([0, 0]);
      const wrap: Middleware = (step, node) => (node.id === ids[watched] ? (frames$) => frames$.pipe(step, map((frame) => assign(frame, node.id, zero))) : step); // prettier-ignore
      const zeroing = Object.assign(wrap, { keeps: () => [ids[watched]] });
      let got: unknown;
      of({ x: [0, 0] }).pipe(run(g, { use: [zeroing], backend: js() })).subscribe(({ y }) => (got = y.toArray())); // prettier-ignore
      expect(got).to.equal(want);
    }
  });

  it('leaves alone what a gradient computes again on purpose, and what is made of it; the mark survives its texts', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('a', relu(neg(x))), named('b', relu(neg(x)))) })) as Graph;
    const again = parseGraph(serializeGraph(g).replace('{"id":3,"op":"neg"', '{"id":3,"isRecomputed":true,"op":"neg"'));
    expect([...nodesOf(again)].filter((node) => (node as OpNode).isRecomputed).map(({ id }) => id)).to.deep.equal([3]);
    expect(serializeGraph(parseGraph(serializeGraph(again)))).to.equal(serializeGraph(again));
    expect(rewritten(again, eliminateCommonSubexpressions).report.patches).to.deep.equal([]);
    expect(computing(rewritten(g, eliminateCommonSubexpressions).graph)).to.equal(3);
  });

  it('turns a node that repeats another’s result (an alias) to the one that stays', () => {
    const text = '{"tensors":["x","a","b","c","y"],"nodes":[{"op":{"ElemUnary":{"op":"relu"}},"inputs":[0],"outputs":[1]},{"op":{"ElemUnary":{"op":"relu"}},"inputs":[0],"outputs":[2,3]},{"op":{"ElemBinary":{"op":"sub"}},"inputs":[1,3],"outputs":[4]}],"inputs":[0],"outputs":[4]}'; // prettier-ignore
    const g = parseGraph(text);
    const after = rewritten(g, eliminateCommonSubexpressions).graph;
    const aliases = [...nodesOf(after)].flatMap((node) => (isOpNode(node) && node.alias !== undefined ? [[node.alias, node.inputs]] : [])); // prettier-ignore
    expect(aliases).to.deep.equal([[1, [1]]]);
    expect(evaluateSync(g, { x: tensor([-1, 2]) }).y.toArray()).to.deep.equal([0, 0]);
  });

  it('is done by default, and not at lower levels', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(exp(x)), z: sum(exp(x)) })) as Graph;
    const count = (level: 'none' | 'basic' | 'standard' | 'aggressive') => steps(g, { level }).length;
    expect([count('none'), count('basic'), count('standard'), count('aggressive')]).to.deep.equal([4, 4, 1, 1]);
  });

  it('finds in random graphs all that was planted twice, and nothing else that differs', () => {
    fc.assert(
      fc.property(randomGraph(), fc.nat(99), (random, at) => {
        const pass = (g: Graph): PassReport => applyPass(g, eliminateCommonSubexpressions, contextFor(g)).report;
        const without = rewritten(random.graph, eliminateCommonSubexpressions).graph;
        expect(pass(without).patches).to.deep.equal([]);
        // One more of any value is one node more, and goes again.
        const twice = planted({ graph: without, feeds: {} }, [{ kind: 0, at, readers: 255 }]).graph;
        expect(computing(rewritten(twice, eliminateCommonSubexpressions).graph)).to.equal(computing(without));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(60, 1_000, 20_000) },
    );
  });

  it('can be undone, and finds nothing more when it is run again, on graphs full of doubles', () => {
    fc.assert(
      fc.property(plantedGraph({}, 10), ({ graph: g }) => void rewritten(g, eliminateCommonSubexpressions)),
      { seed: propertySeed(), numRuns: propertyRuns(60, 1_000, 20_000) },
    );
  });

  it('is linear: 2ⁿ paths through a ladder of doubles are n values (G6)', () => {
    const n = propertyRuns(2_000, 20_000, 200_000);
    const g = graph({ x: input([]) }, ({ x }) => {
      let [a, b]: readonly GraphSymbol[] = [x, x];
      for (let k = 0; k < n; k++) [a, b] = [add(a, b), add(b, a)];
      return { a, b };
    }) as Graph;
    expect(computing(applyPass(g, eliminateCommonSubexpressions, contextFor(g)).graph)).to.equal(n);
  });
});
