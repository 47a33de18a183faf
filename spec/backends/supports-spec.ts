/** @file What a backend says that it can do of a graph. */
import { expect } from 'chai';
import { js, supports, type Backend } from '../../src/backends/index.js';
import { graph, input, param } from '../../src/graph/builder.js';
import { add } from '../../src/ops/binary/index.js';
import { exp, relu } from '../../src/ops/unary/index.js';
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

  it('refuses what is no backend', () => {
    for (const wrong of [undefined, null, {}, 'js', Promise.resolve(js()), { ...js(), compile: undefined }]) {
      expect(thrownBy(() => supports(wrong as Backend, simple)).code).to.equal('E_ARGUMENT');
      if (wrong != null)
        expect(thrownBy(() => evaluateSync(simple, { x: [1, 2] }, { backend: wrong as Backend })).code).to.equal('E_ARGUMENT');
    }
  });
});
