/** @file The interchange form, written. */
import { expect } from 'chai';
import { parseGraph } from '../../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../../src/graph/formats/serialize.js';
import { binary, einsumNode, interchange, reduce, type Interchange } from '../../../support/interchange.js';

describe('the interchange form, written,', () => {
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
    const softmax = parseGraph(
      '{"einstream":1,"nodes":[{"op":"input","name":"x","dims":[2]},{"id":1,"op":"softmax","name":"p","inputs":[0]}],"inputs":[0],"outputs":[{"name":"p","id":1}]}',
    );
    expect(() => serializeGraph(softmax, 'interchange'))
      .to.throw('"p" softmax: the interchange format has no such op')
      .with.property('code', 'E_GRAPH');
    const weights = parseGraph(
      '{"einstream":1,"nodes":[{"op":"constant","name":"w","value":{"data":[1,2]}}],"inputs":[],"outputs":[{"name":"w","id":0}]}',
    );
    expect(() => serializeGraph(weights, 'interchange'))
      .to.throw('carries scalars, not tensors')
      .with.property('code', 'E_GRAPH');
    const named = parseGraph(
      '{"einstream":1,"nodes":[{"op":"input","name":"const_1"}],"inputs":[0],"outputs":[{"name":"const_1","id":0}]}',
    );
    expect(() => serializeGraph(named, 'interchange'))
      .to.throw('reads such a name as a constant')
      .with.property('code', 'E_NAME');
  });
});
