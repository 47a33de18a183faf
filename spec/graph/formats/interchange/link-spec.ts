/** @file What the lists of the interchange form mean: inputs, constants, outputs. */
import { expect } from 'chai';
import { parseGraph } from '../../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../../src/graph/formats/serialize.js';
import { nodeOf, nodesOf, type ConstantNode, type ParamNode } from '../../../../src/graph/graph.js';
import { validate } from '../../../../src/graph/validate/validate.js';
import { tensor } from '../../../../src/tensor/create.js';
import { binary, einsumNode, interchange, unary } from '../../../support/interchange.js';
import { walkGraph } from '../../../support/walkGraph.js';

const x = tensor([
  [1, -2],
  [3, 4],
]);

describe('the tensors of the interchange form', () => {
  it('takes tensors that nothing produces for inputs where none are listed, constants aside (F142)', () => {
    const graph = parseGraph(interchange({ tensors: ['y', 'a', 'const_2', 'b'], nodes: [binary('add', 1, 2, 0)], outputs: [0] }));
    expect(graph.inputs).to.deep.equal([1, 3]);
    expect(validate(graph).map(({ code }) => code)).to.deep.equal(['W_UNUSED']);
  });

  const constants: readonly (readonly [string, number])[] = [
    ['const_0.5', 0.5],
    ['const_-3', -3],
    ['const_1e-3', 1e-3],
    ['const_-0', -0],
    ['const_+7', 7],
    ['const_.5', 0.5],
    ['const_inf', Infinity],
    ['const_-Infinity', -Infinity],
    ['const_NaN', NaN],
  ];
  for (const [name, value] of constants) {
    it(`reads ${name} as a constant (F142)`, () => {
      const node = nodeOf(
        parseGraph(interchange({ tensors: [name, 'y'], nodes: [unary('identity', 0, 1)], outputs: [1] })),
        0,
      ) as ConstantNode;
      expect(node.op).to.equal('constant');
      expect(Object.is(node.value.data[0], Math.fround(value))).to.equal(true);
    });
  }

  it('reads const_pi and constant_1 as names, and a listed constant as a value that a feed may override (F142)', () => {
    const graph = parseGraph(
      interchange({
        tensors: ['const_pi', 'constant_1', 'const_2', 'y'],
        nodes: [einsumNode('a,a,->a', [0, 1, 2], 3)],
        inputs: [0, 1, 2],
        outputs: [3],
      }),
    );
    expect([...nodesOf(graph)].map(({ op }) => op)).to.deep.equal(['input', 'input', 'param', 'einsum']);
    expect((nodeOf(graph, 2) as ParamNode).value.toArray()).to.equal(2);
  });

  it('gives constants and inputs the dtype that is asked for', () => {
    const graph = parseGraph(interchange({ tensors: ['x', 'const_0.1', 'y'], nodes: [binary('mul', 0, 1, 2)], outputs: [2] }), {
      dtype: 'float64',
    });
    expect((nodeOf(graph, 1) as ConstantNode).value.toArray()).to.equal(0.1);
    expect(nodeOf(graph, 0)).to.have.property('dtype', 'float64');
    expect(() => parseGraph('{}', { dtype: 'int8' as never }))
      .to.throw('computed dtype')
      .with.property('code', 'E_ARGUMENT');
  });

  it('gives an output that is itself an input (F142)', () => {
    const graph = parseGraph(interchange({ tensors: ['x'], nodes: [], inputs: [0], outputs: [0] }));
    expect(validate(graph)).to.deep.equal([]);
    expect(walkGraph(graph, { x }).get('x')).to.equal(x);
  });

  it('makes repeated names unique among outputs: name#<tensor index> (F141)', () => {
    const graph = parseGraph(
      interchange({
        tensors: ['x', 'y', 'x', 'y'],
        nodes: [unary('neg', 0, 1), unary('abs', 2, 3)],
        inputs: [0, 2],
        outputs: [1, 3],
      }),
    );
    expect(graph.outputs).to.deep.equal([
      { name: 'y', id: 1 },
      { name: 'y#3', id: 3 },
    ]);
    const both = walkGraph(graph, { x: tensor([-1, 2]) });
    expect([both.get('y')!.toArray(), both.get('y#3')!.toArray()]).to.deep.equal([
      [1, -2],
      [1, 2],
    ]);
  });

  it('keeps several outputs of a node, and the writer joins them again (F142)', () => {
    const text = interchange({ tensors: ['x', 'a', 'b', 'c'], nodes: [unary('exp', 0, 1, 2, 3)], inputs: [0], outputs: [3, 2] });
    const graph = parseGraph(text);
    expect(validate(graph)).to.deep.equal([]);
    expect(nodeOf(graph, 2)).to.include({ op: 'identity', alias: 1 });
    expect(
      walkGraph(graph, { x: tensor([0]) })
        .get('c')!
        .toArray(),
    ).to.deep.equal([1]);
    expect(JSON.parse(serializeGraph(graph, 'interchange')).nodes).to.deep.equal([unary('exp', 0, 1, 2, 3)]);
  });
});
