/** @file Forward, backward, gradients under the seed's names: the same numbers as the operators give. */
import { expect } from 'chai';
import {
  add,
  backward,
  EinstreamError,
  evaluateSync,
  executor,
  exp,
  gradient,
  graph,
  greater,
  input,
  matmul,
  mul,
  param,
  sum,
  tanh,
  tensor,
  variable,
  type Tensor,
} from '../../src/index.js';
import { byHand } from '../support/byHandBackend.js';
import { differentBits } from '../support/sameBits.js';

const g = graph(
  { x: input(['n', 2]), w: param(tensor([[1, 2], [3, 4]])), unused: param(tensor([7, 8])) }, // prettier-ignore
  ({ x, w }) => {
    const h = tanh(matmul(x, w));
    return { h, big: greater(h, 0), total: sum(exp(h)) };
  },
);
const feeds = { x: [[0.1, -0.2], [0.3, 0.05]] }; // prettier-ignore
const weights = { h: tensor([[1, 2], [3, 4]]), total: tensor(10) }; // prettier-ignore

describe('executor.forward and executor.backward (F006)', () => {
  it('give all outputs, then gradients by parameter name, every output weighed by its own', () => {
    const engine = executor();
    const outputs = engine.forward(g, feeds);
    expect(outputs.map(({ dtype }) => dtype)).to.deep.equal(['float32', 'bool', 'float32']);
    const slopes = engine.backward(outputs, weights);
    const want = evaluateSync(gradient(g, { of: ['h', 'total'], wrt: ['x', 'w', 'unused'], seed: 'feed' }), {
      ...feeds,
      'h.cotangent': weights.h,
      'total.cotangent': weights.total,
    });
    expect(Object.keys(slopes)).to.deep.equal(['x', 'w', 'unused']);
    for (const name of ['x', 'w', 'unused']) expect(differentBits(slopes[name], want[name]), name).to.equal(undefined);
    expect(slopes['unused'].toArray()).to.deep.equal([0, 0]);
    expect(engine.gradients()).to.equal(slopes);
    expect(engine.get_gradients()).to.equal(slopes);
  });

  it('take the weights as a list in the order of the outputs, too', () => {
    const engine = executor();
    const outputs = engine.forward(g, feeds);
    const byName = engine.backward(outputs, weights);
    const listed = engine.backward(outputs, [weights.h, undefined as unknown as Tensor, weights.total]);
    expect(differentBits(listed['w'], byName['w'])).to.equal(undefined);
  });

  it('keep no hidden state: passes are gone back over in any order, as often as wanted', () => {
    const engine = executor();
    const h = graph({ x: input([1]) }, ({ x }) => ({ y: mul(x, x) }));
    const passes = [1, 2, 3].map((x) => engine.forward(h, { x: [x] }));
    const one = tensor([1]);
    const slopes = [2, 0, 1, 2].map((at) => engine.backward(passes[at], [one])['x'].toArray());
    expect(slopes).to.deep.equal([[6], [2], [4], [6]]);
  });

  it('refuse a backward before its forward, gradients before a backward, and weights that do not fit', () => {
    const engine = executor();
    const refused = (act: () => unknown, text: RegExp): void => void expect(act).to.throw(EinstreamError, text);
    refused(() => engine.gradients(), /backward comes first/);
    refused(() => engine.backward([] as never, []), /those of a forward pass/);
    refused(() => engine.backward(executor().forward(g, feeds), weights), /those of a forward pass of this executor/);
    refused(() => engine.backward(engine.execute(g, feeds), weights), /those of a forward pass/);
    const outputs = engine.forward(g, feeds);
    refused(() => engine.backward(outputs, [weights.h]), /each output has its gradient.*3.*1/s);
    refused(() => engine.backward(outputs, { ...weights, h: tensor([1]) }), /shape of its output.*\[2, 2\].*\[1\]/s);
    refused(() => engine.backward(outputs, { h: weights.h }), /a seed must have the shape of its output/);
    refused(() => engine.backward(outputs, 1 as never), /a list, or a record by name/);
    refused(() => engine.forward(g, { x: [[1]] }), /x/);
    refused(() => executor({ backend: byHand().backend }).forward(g, feeds), /cannot answer at once/);
  });
});

describe('the eager ops of an executor (F008)', () => {
  it('compute at once, record, and give what the graph gives', () => {
    const engine = executor();
    const [x, w] = [variable(tensor([[1, -2], [3, 4]])), variable(tensor([[0.5, 1], [-1, 2]]))]; // prettier-ignore
    const h = engine.eager_relu(engine.eager_einsum('ij,jk->ik', x, w));
    const t = engine.eager_mul(engine.eager_sigmoid(h), engine.eager_one_minus(engine.eager_sub(h, 1)));
    const y = engine.eager_add(engine.eager_sum(t), engine.eager_add(engine.eager_mean(h), engine.eager_max(h)));
    backward(y);
    const e = engine;
    const asGraph = graph({ x: input([2, 2]), w: input([2, 2]) }, (s) => {
      const a = e.eager_relu(e.eager_einsum('ij,jk->ik', s.x, s.w));
      const b = e.eager_mul(e.eager_sigmoid(a), e.eager_one_minus(e.eager_sub(a, 1)));
      return { y: add(e.eager_sum(b), add(e.eager_mean(a), e.eager_max(a))) };
    });
    const slopes = evaluateSync(gradient(asGraph, { of: 'y', wrt: ['x', 'w'] }), { x: x.value, w: w.value });
    for (const [name, v] of Object.entries({ x, w }))
      (slopes[name].data as Float32Array).forEach((slope, i) => {
        expect(v.grad!.data[i]).to.be.closeTo(slope, 1e-6);
      });
  });
});
