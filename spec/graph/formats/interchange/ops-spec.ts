/** @file The ops of the interchange form. */
import { expect } from 'chai';
import { equivalent } from '../../../../src/graph/canonical.js';
import { parseGraph } from '../../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../../src/graph/formats/serialize.js';
import { nodeOf, type OpNode } from '../../../../src/graph/graph.js';
import { validate } from '../../../../src/graph/validate/validate.js';
import { INTERCHANGE } from '../../../../src/ops/interchange.js';
import { tensor } from '../../../../src/tensor/create.js';
import { binary, einsumNode, interchange, reduce, unary } from '../../../support/interchange.js';
import { walkGraph } from '../../../support/walkGraph.js';

const opOf = (text: string, id: number) => nodeOf(parseGraph(text), id) as OpNode;

const x = tensor([
  [1, -2],
  [3, 4],
]);

describe('the ops of the interchange form', () => {
  it('reads every name of the format, in any case (F143, F144, F145)', () => {
    for (const [name, op] of INTERCHANGE.unary)
      expect(
        opOf(interchange({ tensors: ['x', 'y'], nodes: [unary(name.toUpperCase(), 0, 1)], outputs: [1] }), 1).op,
        name,
      ).to.equal(op);
    for (const [name, op] of INTERCHANGE.binary)
      expect(opOf(interchange({ tensors: ['x', 'z', 'y'], nodes: [binary(name, 0, 1, 2)], outputs: [2] }), 2).op, name).to.equal(
        op,
      );
    for (const [name, op] of INTERCHANGE.reduce)
      expect(opOf(interchange({ tensors: ['x', 'y'], nodes: [reduce(name, [1], 0, 1)], outputs: [1] }), 1).op, name).to.equal(op);
  });

  it('reduces no axis for [], all where axes are absent or null, and keeps sizes of 1 on request (F145)', () => {
    const outcome = (details: object) =>
      walkGraph(
        parseGraph(
          interchange({
            tensors: ['x', 'y'],
            nodes: [{ op: { Reduce: { op: 'sum', ...details } }, inputs: [0], outputs: [1] }],
            outputs: [1],
          }),
        ),
        { x },
      )
        .get('y')!
        .toArray();
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
    expect(
      walkGraph(graph, { x: tensor([1, 2]) })
        .get('y')!
        .toArray(),
    ).to.deep.equal([
      [1, 1, 1],
      [2, 2, 2],
    ]);
    expect(equivalent(parseGraph(serializeGraph(graph, 'interchange')), graph)).to.equal(true);
    expect(() => parseGraph(text, { sizes: { bb: 3 } }))
      .to.throw('sizes are integers')
      .with.property('code', 'E_ARGUMENT');
  });
});
