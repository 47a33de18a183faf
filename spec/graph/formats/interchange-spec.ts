/** @file The EinsumGraph interchange JSON, with every quirk. */
import { expect } from 'chai';
import fc from 'fast-check';
import { equivalent } from '../../../src/graph/canonical.js';
import { parseGraph } from '../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../src/graph/formats/serialize.js';
import { nodeOf, nodesOf, type ConstantNode, type OpNode, type ParamNode } from '../../../src/graph/graph.js';
import { validate } from '../../../src/graph/validate/validate.js';
import { INTERCHANGE } from '../../../src/ops/interchange.js';
import { tensor } from '../../../src/tensor/create.js';
import { binary, einsumNode, interchange, reduce, unary, type Interchange } from '../../support/interchange.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { walkGraph } from '../../support/walkGraph.js';

const opOf = (text: string, id: number) => nodeOf(parseGraph(text), id) as OpNode;
const x = tensor([
  [1, -2],
  [3, 4],
]);

describe('the interchange form', () => {
  it('takes the index of a tensor for the id of its node (F141)', () => {
    const graph = parseGraph(interchange({ tensors: ['x', 'w', 'y'], nodes: [einsumNode('ij,jk->ik', [0, 1], 2)], inputs: [0, 1], outputs: [2] }));
    expect([...nodesOf(graph)].map(({ id, name, op, inputs }) => [id, name, op, [...inputs]])).to.deep.equal([
      [0, 'x', 'input', []],
      [1, 'w', 'input', []],
      [2, 'y', 'einsum', [0, 1]],
    ]);
    expect(graph.inputs).to.deep.equal([0, 1]);
    expect(graph.outputs).to.deep.equal([{ name: 'y', id: 2 }]);
    expect(validate(graph)).to.deep.equal([]);
  });

  it('may lie in an envelope of version, date and metadata, which the writer keeps (F141)', () => {
    const inner = { tensors: ['x', 'y'], nodes: [unary('relu', 0, 1)], inputs: [0], outputs: [1] };
    const text = JSON.stringify({ version: '1.7.0', created_at: '2024-05-01', metadata: { by: 'me' }, graph: inner });
    const graph = parseGraph(text);
    expect(validate(graph)).to.deep.equal([]);
    expect(JSON.parse(serializeGraph(graph, 'interchange'))).to.deep.equal({
      version: '1.7.0',
      created_at: '2024-05-01',
      metadata: { by: 'me' },
      graph: JSON.parse(serializeGraph(parseGraph(JSON.stringify(inner)), 'interchange')),
    });
  });

  for (const version of ['2.0.0', '0.9.0', '', 1, undefined]) {
    it(`refuses an envelope of version ${JSON.stringify(version)} (F141)`, () => {
      const text = JSON.stringify({ version, graph: { tensors: [], nodes: [], inputs: [], outputs: [] } });
      expect(() => parseGraph(text)).to.throw('the version of the envelope must be known').with.property('code', 'E_PARSE');
    });
  }

  it('leaves unknown keys alone, at every level (F141)', () => {
    const graph = parseGraph(
      '{"later": [1, {"a": null}], "tensors": ["x", "y"], "nodes": [{"hint": {}, "op": {"ElemUnary": {"op": "relu", "speed": 3}}, "inputs": [0], "outputs": [1]}], "inputs": [0], "outputs": [1], "__proto__": {"polluted": 1}}',
    );
    expect(validate(graph)).to.deep.equal([]);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  it('keeps metadata of tensors and nodes, and shows their span as the location of a fault (F141)', () => {
    const span = { start: { file: 'rules.tl', line: 3, column: 7 }, end: { file: 'rules.tl', line: 3, column: 9 } };
    const text = interchange({
      tensors: ['x', 'y'],
      nodes: [{ ...unary('nope', 0, 1), metadata: { name: 'n', provenance: { rule_id: 'r1', source_file: 'other.tl' }, attributes: [['k', 'v']] } }],
      inputs: [0],
      outputs: [1],
      tensor_metadata: { '1': { name: 'out', span, provenance: null, attributes: [] }, '01': {}, x: {}, '99': {} },
    });
    const graph = parseGraph(text);
    expect(nodeOf(graph, 1).metadata).to.deep.equal({
      node: { name: 'n', provenance: { rule_id: 'r1', source_file: 'other.tl' }, attributes: [['k', 'v']] },
      tensor: { name: 'out', span, provenance: null, attributes: [] },
    });
    expect(validate(graph)[0]!.location).to.deep.equal({ file: 'other.tl' });
    const ofTensor = interchange({ tensors: ['x', 'y'], nodes: [unary('nope', 0, 1)], inputs: [0], outputs: [1], tensor_metadata: { '1': { span } } });
    expect(validate(parseGraph(ofTensor))[0]!.location).to.deep.equal({ file: 'rules.tl', line: 3, column: 7 });
    expect(JSON.parse(serializeGraph(graph, 'interchange')).tensor_metadata).to.deep.equal({ '1': { name: 'out', span, provenance: null, attributes: [] } });
  });

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
      const node = nodeOf(parseGraph(interchange({ tensors: [name, 'y'], nodes: [unary('identity', 0, 1)], outputs: [1] })), 0) as ConstantNode;
      expect(node.op).to.equal('constant');
      expect(Object.is(node.value.data[0], Math.fround(value))).to.equal(true);
    });
  }

  it('reads const_pi and constant_1 as names, and a listed constant as a value that a feed may override (F142)', () => {
    const graph = parseGraph(interchange({ tensors: ['const_pi', 'constant_1', 'const_2', 'y'], nodes: [einsumNode('a,a,->a', [0, 1, 2], 3)], inputs: [0, 1, 2], outputs: [3] }));
    expect([...nodesOf(graph)].map(({ op }) => op)).to.deep.equal(['input', 'input', 'param', 'einsum']);
    expect((nodeOf(graph, 2) as ParamNode).value.toArray()).to.equal(2);
  });

  it('gives constants and inputs the dtype that is asked for', () => {
    const graph = parseGraph(interchange({ tensors: ['x', 'const_0.1', 'y'], nodes: [binary('mul', 0, 1, 2)], outputs: [2] }), { dtype: 'float64' });
    expect((nodeOf(graph, 1) as ConstantNode).value.toArray()).to.equal(0.1);
    expect(nodeOf(graph, 0)).to.have.property('dtype', 'float64');
    expect(() => parseGraph('{}', { dtype: 'int8' as never })).to.throw('computed dtype').with.property('code', 'E_ARGUMENT');
  });

  it('gives an output that is itself an input (F142)', () => {
    const graph = parseGraph(interchange({ tensors: ['x'], nodes: [], inputs: [0], outputs: [0] }));
    expect(validate(graph)).to.deep.equal([]);
    expect(walkGraph(graph, { x }).get('x')).to.equal(x);
  });

  it('makes repeated names unique among outputs: name#<tensor index> (F141)', () => {
    const graph = parseGraph(interchange({ tensors: ['x', 'y', 'x', 'y'], nodes: [unary('neg', 0, 1), unary('abs', 2, 3)], inputs: [0, 2], outputs: [1, 3] }));
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
    expect(walkGraph(graph, { x: tensor([0]) }).get('c')!.toArray()).to.deep.equal([1]);
    expect(JSON.parse(serializeGraph(graph, 'interchange')).nodes).to.deep.equal([unary('exp', 0, 1, 2, 3)]);
  });

  it('reads every name of the format, in any case (F143, F144, F145)', () => {
    for (const [name, op] of INTERCHANGE.unary) expect(opOf(interchange({ tensors: ['x', 'y'], nodes: [unary(name.toUpperCase(), 0, 1)], outputs: [1] }), 1).op, name).to.equal(op);
    for (const [name, op] of INTERCHANGE.binary) expect(opOf(interchange({ tensors: ['x', 'z', 'y'], nodes: [binary(name, 0, 1, 2)], outputs: [2] }), 2).op, name).to.equal(op);
    for (const [name, op] of INTERCHANGE.reduce) expect(opOf(interchange({ tensors: ['x', 'y'], nodes: [reduce(name, [1], 0, 1)], outputs: [1] }), 1).op, name).to.equal(op);
  });

  it('reduces no axis for [], all where axes are absent or null, and keeps sizes of 1 on request (F145)', () => {
    const outcome = (details: object) => walkGraph(parseGraph(interchange({ tensors: ['x', 'y'], nodes: [{ op: { Reduce: { op: 'sum', ...details } }, inputs: [0], outputs: [1] }], outputs: [1] })), { x }).get('y')!.toArray();
    expect(outcome({ axes: [] })).to.deep.equal(x.toArray());
    expect(outcome({})).to.equal(6);
    expect(outcome({ axes: null })).to.equal(6);
    expect(outcome({ axes: [1, 0] })).to.equal(6);
    expect(outcome({ axes: [-1] })).to.deep.equal([-1, 7]);
    expect(outcome({ axes: [-1], keepdims: true })).to.deep.equal([[-1], [7]]);
  });

  it('reads letters that only the output has, where their size is given (F146)', () => {
    const text = interchange({ tensors: ['x', 'y'], nodes: [einsumNode('a->ab', [0], 1)], outputs: [1] });
    expect(validate(parseGraph(text)).map(({ severity }) => severity)).to.deep.equal(['error']);
    const graph = parseGraph(text, { sizes: { b: 3, z: 9 } });
    expect(walkGraph(graph, { x: tensor([1, 2]) }).get('y')!.toArray()).to.deep.equal([
      [1, 1, 1],
      [2, 2, 2],
    ]);
    expect(equivalent(parseGraph(serializeGraph(graph, 'interchange')), graph)).to.equal(true);
    expect(() => parseGraph(text, { sizes: { bb: 3 } })).to.throw('sizes are integers').with.property('code', 'E_ARGUMENT');
  });

  it('reads nodes in any order to an equivalent graph (F142)', () => {
    const nodes = [unary('neg', 0, 2), binary('add', 0, 1, 3), binary('mul', 2, 3, 4), reduce('sum', [0], 4, 5), einsumNode('a,a->a', [2, 4], 6), unary('exp', 6, 7, 8)];
    const text = (order: readonly (typeof nodes)[number][]) => interchange({ tensors: 'xwabcdefg'.split(''), nodes: order, inputs: [0, 1], outputs: [5, 7, 8] });
    const straight = parseGraph(text(nodes));
    fc.assert(
      fc.property(fc.shuffledSubarray(nodes, { minLength: nodes.length }), (order) => {
        const graph = parseGraph(text(order));
        expect(validate(graph)).to.deep.equal([]);
        expect(equivalent(graph, straight)).to.equal(true);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 720, 5_000) },
    );
  });

  it('is written back as it was read, for a graph that has everything', () => {
    const graph: Interchange = {
      tensors: ['x', 'w', 'const_0.5', 'h', 's', 'y', 'free'],
      nodes: [einsumNode('ij,jk->ik', [0, 1], 3), reduce('mean', [-1], 3, 4), binary('subtract', 4, 2, 5)],
      inputs: [0, 1],
      outputs: [5, 4],
    };
    const written = JSON.parse(serializeGraph(parseGraph(interchange(graph)), 'interchange')) as unknown;
    expect(written).to.deep.equal(graph);
  });

  it('refuses to write what it cannot say, naming the node', () => {
    const softmax = parseGraph('{"einstream":1,"nodes":[{"op":"input","name":"x","dims":[2]},{"id":1,"op":"softmax","name":"p","inputs":[0]}],"inputs":[0],"outputs":[{"name":"p","id":1}]}');
    expect(() => serializeGraph(softmax, 'interchange')).to.throw('"p" softmax: the interchange format has no such op').with.property('code', 'E_GRAPH');
    const weights = parseGraph('{"einstream":1,"nodes":[{"op":"constant","name":"w","value":{"data":[1,2]}}],"inputs":[],"outputs":[{"name":"w","id":0}]}');
    expect(() => serializeGraph(weights, 'interchange')).to.throw('carries scalars, not tensors').with.property('code', 'E_GRAPH');
    const named = parseGraph('{"einstream":1,"nodes":[{"op":"input","name":"const_1"}],"inputs":[0],"outputs":[{"name":"const_1","id":0}]}');
    expect(() => serializeGraph(named, 'interchange')).to.throw('reads such a name as a constant').with.property('code', 'E_NAME');
  });

  const malformed: readonly (readonly [string, string, string])[] = [
    ['no nodes', '{"tensors": []}', 'no "nodes"'],
    ['no tensors', '{"nodes": []}', 'no "tensors"'],
    ['a node without an op', '{"tensors": ["x"], "nodes": [{"inputs": [], "outputs": [0]}]}', 'node 0 must have "op"'],
    ['a node without inputs', '{"tensors": ["x"], "nodes": [{"op": {"Einsum": {"spec": "a"}}, "outputs": [0]}]}', 'node 0 must have "inputs"'],
    ['an op of two kinds', '{"tensors": [], "nodes": [{"op": {"ElemUnary": {"op": "abs"}, "Reduce": {"op": "sum"}}, "inputs": [], "outputs": []}]}', 'one member'],
    ['an op of no kind', '{"tensors": [], "nodes": [{"op": {}, "inputs": [], "outputs": []}]}', 'one member'],
    ['an op that is a string', '{"tensors": [], "nodes": [{"op": "relu", "inputs": [], "outputs": []}]}', 'an object'],
    ['an Einsum without a spec', '{"tensors": [], "nodes": [{"op": {"Einsum": {}}, "inputs": [], "outputs": []}]}', 'must have a "spec"'],
    ['a negative index', '{"tensors": ["x"], "nodes": [], "inputs": [-1], "outputs": [0]}', 'an integer ≥ 0'],
    ['an index with a fraction', '{"tensors": ["x"], "nodes": [], "inputs": [0.5], "outputs": [0]}', ''],
    ['tensors that are no strings', '{"tensors": [1], "nodes": []}', 'a string'],
    ['a list instead of a graph', '[]', 'an object'],
  ];
  for (const [what, text, message] of malformed) {
    it(`refuses ${what} at once: that is not the form`, () => {
      expect(() => parseGraph(text)).to.throw(message).with.property('code', 'E_PARSE');
    });
  }
});
