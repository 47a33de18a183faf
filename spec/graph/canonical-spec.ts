/** @file When two graphs are one, and how they are told apart. */
import { expect } from 'chai';
import fc from 'fast-check';
import { constant, graph, input, param, type GraphSymbol } from '../../src/graph/builder.js';
import { canonicalize, equivalent, hash, keyOf } from '../../src/graph/canonical.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { serializeGraph } from '../../src/graph/formats/serialize.js';
import { nodeCount, nodesOf, type Graph } from '../../src/graph/graph.js';
import { add, clip, einsum, exp, mul, neg, relu, sub, sum } from '../../src/ops/index.js';
import { tensor } from '../../src/tensor/create.js';
import { transpose } from '../../src/ops/index.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { binary, interchange, unary, type InterchangeNode } from '../support/interchange.js';
import { plainGraph } from '../support/plainGraph.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { walkGraph } from '../support/walkGraph.js';

const of = (build: (x: GraphSymbol) => GraphSymbol, dims: readonly (number | string | null)[] = ['n', 2]): Graph =>
  graph({ x: input(dims) }, ({ x }) => ({ y: build(x) }));
const f32 = (bits: number) => tensorOver(new Float32Array(new Uint32Array([bits]).buffer), 'float32', []);

const plainNames = (g: Graph): string =>
  JSON.stringify([g.inputs.map((id) => [...nodesOf(g)].find((node) => node.id === id)!.name), g.outputs.map(({ name }) => name)]);

describe('equivalent (F149)', () => {
  it('holds for a graph and itself written again, under other names', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g }) => {
        const renamed = parseGraph(serializeGraph(g).replace(/"name":"([^"]*)"/g, '"name":"other $1"'));
        expect(equivalent(g, renamed)).to.equal(true);
        expect(hash(g)).to.equal(hash(renamed));
        expect(keyOf(g)).to.not.equal(keyOf(renamed));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 3_000, 100_000) },
    );
  });

  it('ignores the order of independent nodes, and the numbers of tensors', () => {
    const one = {
      tensors: ['x', 'a', 'b', 'y'],
      nodes: [unary('exp', 0, 1), unary('neg', 0, 2), binary('add', 1, 2, 3)],
      inputs: [0],
      outputs: [3],
    };
    const other = {
      tensors: ['y', 'b', 'a', 'x'],
      nodes: [unary('neg', 3, 1), binary('add', 2, 1, 0), unary('exp', 3, 2)],
      inputs: [3],
      outputs: [0],
    };
    expect(equivalent(parseGraph(interchange(one)), parseGraph(interchange(other)))).to.equal(true);
  });

  it('ignores nodes that no output depends on, and names of symbolic dims', () => {
    const dead = graph({ x: input(['k', 2]) }, ({ x }) => {
      exp(x);
      return { y: relu(x) };
    });
    expect(equivalent(dead, of(relu))).to.equal(true);
  });

  const differing: readonly (readonly [string, Graph, Graph])[] = [
    ['another op', of(relu), of(neg)],
    ['another parameter', of((x) => sum(x, { axis: 0 })), of((x) => sum(x, { axis: 1 }))],
    ['another spec', of((x) => einsum('ab->a', x)), of((x) => einsum('ab->b', x))],
    ['operands the other way round', of((x) => sub(x, exp(x))), of((x) => sub(exp(x), x))],
    ['a value computed twice', of((x) => add(exp(x), exp(x))), of((x) => { const e = exp(x); return add(e, e); })], // prettier-ignore
    ['0 and -0', of((x) => mul(x, 0)), of((x) => mul(x, -0))],
    ['0 and -0 among parameters', of((x) => clip(x, { min: 0 })), of((x) => clip(x, { min: -0 }))],
    ['NaN and nothing among parameters', of((x) => clip(x, { min: NaN })), of((x) => clip(x))],
    ['1 and 1.0000001', of((x) => mul(x, 1)), of((x) => mul(x, 1.0000001))],
    ['two NaNs', of((x) => mul(x, f32(0x7fc00000))), of((x) => mul(x, f32(0x7fc00001)))],
    ['another dtype of a constant', of((x) => mul(x, tensor(1))), of((x) => mul(x, tensor(1, { dtype: 'float64' })))],
    ['another shape of a constant', of((x) => mul(x, tensor([1]))), of((x) => mul(x, tensor([[1]])))],
    [
      'a constant and a param',
      graph({ x: input([2]), c: constant(tensor(1)) }, ({ x, c }) => ({ y: mul(x, c) })),
      graph({ x: input([2]), c: param(tensor(1)) }, ({ x, c }) => ({ y: mul(x, c) })),
    ],
    ['another size', of(relu, [2, 3]), of(relu, [3, 2])],
    ['shapes [1, 23] and [12, 3] (J1)', of(relu, [1, 23]), of(relu, [12, 3])],
    ['equal and different symbols', of(relu, ['n', 'n']), of(relu, ['n', 'm'])],
    ['a scalar and an unknown size', of(relu, []), of(relu, [null])],
    ['a size and a symbol', of(relu, [2]), of(relu, ['2'])],
    [
      'another dtype of an input',
      graph({ x: input([2]) }, ({ x }) => ({ x })),
      graph({ x: input([2], { dtype: 'int32' }) }, ({ x }) => ({ x })),
    ],
    [
      'outputs in another order',
      graph({ x: input([2]) }, ({ x }) => ({ a: exp(x), b: neg(x) })),
      graph({ x: input([2]) }, ({ x }) => ({ b: neg(x), a: exp(x) })),
    ],
    ['one output more', graph({ x: input([2]) }, ({ x }) => ({ a: x })), graph({ x: input([2]) }, ({ x }) => ({ a: x, b: x }))],
    ['an unused input more', of(relu), graph({ x: input(['n', 2]), z: input([1]) }, ({ x }) => ({ y: relu(x) }))],
  ];
  for (const [what, a, b] of differing) {
    it(`tells apart: ${what}`, () => {
      expect(equivalent(a, b)).to.equal(false);
      expect(keyOf(a)).to.not.equal(keyOf(b));
    });
  }

  it('compares elements, not how they lie: a transposed view is its values', () => {
    const view = transpose(tensor([[1, 2], [3, 4]])); // prettier-ignore
    expect(equivalent(of((x) => mul(x, view)), of((x) => mul(x, tensor([[1, 3], [2, 4]]))))).to.equal(true); // prettier-ignore
  });

  it('compares broken graphs too, and ends', () => {
    const cyclic = (nodes: readonly InterchangeNode[]) =>
      parseGraph(interchange({ tensors: ['x', 'a', 'b'], nodes, inputs: [0], outputs: [2] }));
    const nodes = [binary('add', 0, 2, 1), unary('neg', 1, 2)];
    expect(equivalent(cyclic(nodes), cyclic([...nodes].reverse()))).to.equal(true);
    expect(equivalent(cyclic(nodes), cyclic([unary('neg', 9, 2)]))).to.equal(false);
  });
});

describe('keyOf and hash', () => {
  it('cannot be deceived by a name that looks like another part of the key (J1)', () => {
    const names = ['a', 'b', 'a","b', 'a\n0,1', '["a"]', ''];
    const keys = names.flatMap((x) =>
      names.filter((y) => y !== x).map((y) => keyOf(graph({ [x]: input([1]), [y]: input([1]) }, (s) => ({ y: s[x] })) as Graph)),
    );
    expect(new Set(keys).size).to.equal(names.length * (names.length - 1));
  });

  it('stay equal under other names of values in between', () => {
    const make = (inner: string) =>
      parseGraph(
        interchange({ tensors: ['x', inner, 'y'], nodes: [unary('exp', 0, 1), unary('neg', 1, 2)], inputs: [0], outputs: [2] }),
      );
    expect(keyOf(make('one'))).to.equal(keyOf(make('two')));
  });

  it('differ, or the graphs are equivalent (J1)', () => {
    fc.assert(
      fc.property(randomGraph({ maxMoves: 3 }), randomGraph({ maxMoves: 3 }), ({ graph: a }, { graph: b }) => {
        expect(keyOf(a) === keyOf(b)).to.equal(equivalent(a, b) && plainNames(a) === plainNames(b));
        if (equivalent(a, b)) expect(hash(a)).to.equal(hash(b));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 10_000, 1_000_000) },
    );
  });
});

describe('canonicalize', () => {
  it('gives an equivalent graph that computes the same, without what no output needs', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g, feeds }) => {
        const canonical = canonicalize(g);
        expect(equivalent(canonical, g)).to.equal(true);
        expect(plainGraph(canonicalize(canonical))).to.deep.equal(plainGraph(canonical));
        expect([...walkGraph(canonical, feeds)].map(([name, value]) => [name, value.toArray()])).to.deep.equal(
          [...walkGraph(g, feeds)].map(([name, value]) => [name, value.toArray()]),
        );
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 2_000, 50_000) },
    );
  });

  it('sorts nodes, numbers them from 0 and drops names in between', () => {
    const g = canonicalize(
      parseGraph(
        interchange({
          tensors: ['y', 'h', 'x', 'dead'],
          nodes: [unary('neg', 1, 0), unary('exp', 2, 1), unary('abs', 2, 3)],
          inputs: [2],
          outputs: [0],
        }),
      ),
    );
    expect([...nodesOf(g)].map(({ id, name, op, inputs }) => [id, name, op, ...inputs])).to.deep.equal([
      [0, 'x', 'input'],
      [1, undefined, 'exp', 0],
      [2, undefined, 'neg', 1],
    ]);
    expect([nodeCount(g), g.outputs]).to.deep.equal([3, [{ name: 'y', id: 2 }]]);
  });
});
