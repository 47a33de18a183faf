/**
 * @file The examples of the seed's chapters on autodiff and training, translated and executed.
 */
import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import { executor } from '../../src/executor.js';
import { graph, input, param } from '../../src/graph/builder.js';
import { add, einsum, mul, sub, sum, tanh } from '../../src/ops/index.js';
import { evaluateSync } from '../../src/run/index.js';
import { ones, tensor, type Tensor } from '../../src/tensor/index.js';
import { adam, mse, train } from '../../src/train/index.js';
import { checkGradients } from '../../src/testing.js';

const model = graph(
  { x: input([4, 2]), w: param(tensor([[0.5, -0.25], [0.1, 0.75]])), b: param(tensor([0.1, -0.2])) }, // prettier-ignore
  ({ x, w, b }) => ({ y: tanh(add(einsum('ni,io->no', x, w), b)) }),
);
const x = tensor([[1, 0], [0, 1], [1, 1], [-1, 2]]); // prettier-ignore

/** What other weights give: there is something to learn. */
const targets = evaluateSync(model, { x, w: [[0.3, 0.6], [-0.4, 0.2]], b: [-0.1, 0.3] }).y; // prettier-ignore

describe('the autodiff and training examples of the seed', () => {
  it('E01: forward, backward, gradients by name, checked by finite differences', () => {
    const engine = executor();
    const outputs = engine.forward(model, { x });
    engine.backward(outputs, [ones([4, 2])]);
    const paramGrads = engine.get_gradients();
    expect(Object.keys(paramGrads)).to.deep.equal(['x', 'w', 'b']);

    const total = (w: Tensor): number => Number(sum(evaluateSync(model, { x, w }).y).data[0]);
    const h = 2 ** -7;
    for (const [at, slope] of [...(paramGrads['w'].data as Float32Array)].entries()) {
      const moved = (by: number): Tensor => tensor([0.5, -0.25, 0.1, 0.75].map((w, i) => (i === at ? w + by : w)), { shape: [2, 2] }); // prettier-ignore
      expect(slope).to.be.closeTo((total(moved(h)) - total(moved(-h))) / (2 * h), 1e-3);
    }
    expect(checkGradients(model, { x }).passed).to.equal(true);
  });

  it('E03: an executor goes forward and back over two outputs, each with its own gradient', () => {
    const two = graph({ a: input([2]), b: input([2]) }, ({ a, b }) => ({ product: mul(a, b), difference: sub(a, b) }));
    const engine = executor();
    const outputs = engine.forward(two, { a: [1, 2], b: [3, 4] });
    expect(outputs.map((output) => output.toArray())).to.deep.equal([[3, 8], [-2, -2]]); // prettier-ignore
    engine.backward(outputs, [tensor([1, 1]), tensor([10, 100])]);
    const { a, b } = engine.get_gradients();
    expect([a.toArray(), b.toArray()]).to.deep.equal([[3 + 10, 4 + 100], [1 - 10, 2 - 100]]); // prettier-ignore
  });

  it('E56: a loop of forward, loss gradients, backward and updates; the loss falls', () => {
    const engine = executor();
    let params: Record<'w' | 'b', Tensor> = { w: tensor([[0.5, -0.25], [0.1, 0.75]]), b: tensor([0.1, -0.2]) }; // prettier-ignore
    const losses: number[] = [];
    for (let step = 0; step < 60; step++) {
      const outputs = engine.forward(model, { x, ...params });
      const distance = sub(outputs.byName.y, targets);
      losses.push(Number(sum(mul(distance, distance)).data[0]));
      engine.backward(outputs, [mul(2, distance)]);
      const grads = engine.get_gradients();
      params = { w: sub(params.w, mul(0.1, grads['w'])), b: sub(params.b, mul(0.1, grads['b'])) };
    }
    losses.slice(1, 20).forEach((loss, at) => expect(loss, `step ${at + 1}`).to.be.lessThan(losses[at]));
    expect(losses.at(-1)).to.be.lessThan(losses[0] / 5);
  });

  it('E58: a trainer with its configuration over an executor, as an operator', async () => {
    const engine = executor();
    const learner = graph(
      { x: input([4, 2]), t: input([4, 2]), w: param(tensor([[0.5, -0.25], [0.1, 0.75]])), b: param(tensor([0.1, -0.2])) }, // prettier-ignore
      ({ x: given, t, w, b }) => ({ loss: mse(tanh(add(einsum('ni,io->no', given, w), b)), t) }),
    );
    const batches = Array.from({ length: 100 }, () => ({ x, t: targets })); // prettier-ignore
    const trainer = train(learner, { loss: 'loss', optimizer: adam({ rate: 0.05 }), backend: engine.backend });
    const steps = await lastValueFrom(from(batches).pipe(trainer, toArray()));
    expect(steps).to.have.length(100);
    expect(steps[99].loss).to.be.lessThan(steps[0].loss / 10);
    expect(Object.keys(steps[99].params)).to.deep.equal(['w', 'b']);
  });
});
