/** @file `train`: learning as an operator. */
import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import {
  adam,
  adamW,
  crossEntropy,
  graph,
  input,
  matmul,
  add,
  mse,
  mul,
  param,
  sgd,
  tanh,
  tensor,
  train,
  type Optimizer,
  type TrainOptions,
  type TrainStep,
} from '../../src/index.js';

const line = graph({ x: input(['n']), t: input(['n']), w: param(tensor(0)) }, ({ x, t, w }) => ({
  loss: mse(mul(x, w), t),
  y: mul(x, w),
}));
const batch = { x: [1, 2], t: [2, 4] };

const steps = (options: Partial<TrainOptions>, count = 5): Promise<TrainStep[]> =>
  lastValueFrom(
    from(Array.from({ length: count }, () => batch)).pipe(
      train(line, { loss: 'loss', optimizer: sgd({ rate: 0.1 }), ...options }),
      toArray(),
    ),
  );

describe('train', () => {
  it('takes a step for each batch, and tells the loss before it (F011)', async () => {
    const [first, second] = await steps({ prediction: 'y' });
    expect([first.step, first.loss, first.gradientNorm]).to.deep.equal([1, 10, 10]);
    expect(first.params['w'].toArray()).to.equal(1);
    expect(first.prediction!.toArray()).to.deep.equal([0, 0]);
    expect([second.loss, second.prediction!.toArray()]).to.deep.equal([2.5, [1, 2]]);
  });

  it('goes on from a state bit for bit, whatever the optimizer (F011)', async () => {
    const optimizers: readonly Optimizer[] = [
      sgd({ rate: 0.05, momentum: 0.9 }),
      sgd({ rate: 0.05, momentum: 0.9, nesterov: true, weightDecay: 0.01 }),
      adam({ rate: 0.1 }),
      adamW({ rate: 0.1 }),
    ];
    for (const optimizer of optimizers) {
      const whole = await steps({ optimizer }, 6);
      const rest = await steps({ optimizer, state: whole[2].state }, 3);
      expect(rest.map(({ loss }) => loss)).to.deep.equal(whole.slice(3).map(({ loss }) => loss));
      expect(rest[2].params['w'].data).to.deep.equal(whole[5].params['w'].data);
    }
  });

  it('takes n batches for one step as one batch of n times the size (F012)', async () => {
    const big = { x: [1, 2, 1, 2], t: [2, 4, 2, 4] };
    const options = { loss: 'loss', optimizer: sgd({ rate: 0.05, momentum: 0.5 }) } as const;
    const one = await lastValueFrom(from([big, big]).pipe(train(line, options), toArray()));
    const two = await lastValueFrom(
      from([batch, batch, batch, batch]).pipe(train(line, { ...options, accumulate: 2 }), toArray()),
    );
    expect(two.map(({ params }) => params['w'].toArray())).to.deep.equal(one.map(({ params }) => params['w'].toArray()));
  });

  it('learns XOR to a loss below 0.01 (F011)', async () => {
    const start = (shape: number[], seed: number) =>
      tensor(
        Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => Math.sin(12.9898 * (k + seed))),
        { shape },
      );
    const model = graph(
      {
        x: input([4, 2]),
        t: input([4, 2]),
        w1: param(start([2, 8], 1)),
        b1: param(start([8], 30)),
        w2: param(start([8, 2], 50)),
      },
      ({ x, t, w1, b1, w2 }) => ({ loss: crossEntropy(matmul(tanh(add(matmul(x, w1), b1)), w2), t) }),
    );
    const xor = { x: [[0, 0], [0, 1], [1, 0], [1, 1]], t: [[1, 0], [0, 1], [0, 1], [1, 0]] }; // prettier-ignore
    const all = await lastValueFrom(
      from(Array.from({ length: 300 }, () => xor)).pipe(
        train(model, { loss: 'loss', optimizer: adam({ rate: 0.05 }) }),
        toArray(),
      ),
    );
    expect(all.at(-1)!.loss).to.be.below(0.01);
  });
});
