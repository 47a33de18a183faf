/** @file The interchange document: ids, envelope, metadata, unknown keys. */
import { expect } from 'chai';
import { parseGraph } from '../../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../../src/graph/formats/serialize.js';
import { nodeOf, nodesOf } from '../../../../src/graph/graph.js';
import { validate } from '../../../../src/graph/validate/validate.js';
import { einsumNode, interchange, unary } from '../../../support/interchange.js';

describe('the interchange form', () => {
  it('takes the index of a tensor for the id of its node (F141)', () => {
    const graph = parseGraph(
      interchange({ tensors: ['x', 'w', 'y'], nodes: [einsumNode('ij,jk->ik', [0, 1], 2)], inputs: [0, 1], outputs: [2] }),
    );
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
      expect(() => parseGraph(text))
        .to.throw('the version of the envelope must be known')
        .with.property('code', 'E_PARSE');
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
      nodes: [
        {
          ...unary('nope', 0, 1),
          metadata: { name: 'n', provenance: { rule_id: 'r1', source_file: 'other.tl' }, attributes: [['k', 'v']] },
        },
      ],
      inputs: [0],
      outputs: [1],
      tensor_metadata: { '1': { name: 'out', span, provenance: null, attributes: [] }, '01': {}, x: {}, '99': {} },
    });
    const graph = parseGraph(text);
    expect(nodeOf(graph, 1).metadata).to.deep.equal({
      node: { name: 'n', provenance: { rule_id: 'r1', source_file: 'other.tl' }, attributes: [['k', 'v']] },
      tensor: { name: 'out', span, provenance: null, attributes: [] },
    });
    expect(validate(graph)[0].location).to.deep.equal({ file: 'other.tl' });
    const ofTensor = interchange({
      tensors: ['x', 'y'],
      nodes: [unary('nope', 0, 1)],
      inputs: [0],
      outputs: [1],
      tensor_metadata: { '1': { span } },
    });
    expect(validate(parseGraph(ofTensor))[0].location).to.deep.equal({ file: 'rules.tl', line: 3, column: 7 });
    expect(JSON.parse(serializeGraph(graph, 'interchange')).tensor_metadata).to.deep.equal({
      '1': { name: 'out', span, provenance: null, attributes: [] },
    });
  });
});
