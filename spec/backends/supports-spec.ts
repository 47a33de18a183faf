/** @file What a backend says that it can do of a graph. */
import { expect } from 'chai';
import { js, supports, type Backend } from '../../src/backends/index.js';
import { graph, input, param } from '../../src/graph/builder.js';
import { add } from '../../src/ops/binary/index.js';
import { cast, exp, relu } from '../../src/ops/unary/index.js';
import { evaluateSync } from '../../src/run/index.js';
import { ones } from '../../src/tensor/index.js';
import { claiming } from '../support/claiming.js';
import { thrownBy } from '../support/thrownBy.js';

const simple = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));

describe('supports (F086)', () => {
  it('lists the nodes that run natively, and of the others why not and who can', () => {
    const g = graph({ x: input(['n']), w: param(ones([2])) }, ({ x, w }) => ({ y: exp(relu(add(x, w))) }));
    expect(supports(js(), g)).to.deep.equal({ isFull: true, native: [0, 1, 2, 3, 4], unsupported: [] });
    const { isFull, native, unsupported } = supports(claiming({ excludes: [{ op: 'relu' }] }), g);
    expect([isFull, native.length, unsupported.length]).to.deep.equal([false, 4, 1]);
    expect(unsupported[0]).to.deep.include({ nodeId: 3, op: 'relu', alternatives: ['js'] });
    expect(unsupported[0].diagnostic.message).to.match(/relu_3.*must have the op.*relu.*use backend js/);
  });

  it('may exclude an op for some results alone', () => {
    const backend = claiming({ excludes: [{ op: 'cast', dtypes: ['float32'], results: ['int32'] }] });
    const casting = (dtype: 'int32' | 'bool') => graph({ x: input([2]) }, ({ x }) => ({ y: cast(x, { dtype }) }));
    expect(supports(backend, casting('bool')).isFull).to.equal(true);
    const [{ diagnostic, alternatives }] = supports(backend, casting('int32')).unsupported;
    expect(diagnostic.message).to.match(/must have cast for the dtype and a result of int32/);
    expect(alternatives).to.deep.equal(['js']);
  });

  it('refuses what is no backend', () => {
    for (const wrong of [undefined, null, {}, 'js', Promise.resolve(js()), { ...js(), compile: undefined }]) {
      expect(thrownBy(() => supports(wrong as Backend, simple)).code).to.equal('E_ARGUMENT');
      if (wrong != null)
        expect(thrownBy(() => evaluateSync(simple, { x: [1, 2] }, { backend: wrong as Backend })).code).to.equal('E_ARGUMENT');
    }
  });
});
