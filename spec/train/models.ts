/**
 * @file A small model to train, and batches for it.
 */
import { from, lastValueFrom, toArray } from 'rxjs';
import {
  add,
  adam,
  adamW,
  graph,
  input,
  matmul,
  mse,
  param,
  sgd,
  tanh,
  tensor,
  train,
  type Optimizer,
  type Tensor,
  type TrainOptions,
  type TrainStep,
} from '../../src/index.js';

/** Numbers that look random, the same at every call. */
export const waves = (shape: readonly number[], phase: number): Tensor =>
  tensor(
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => Math.sin(12.9898 * (k + phase))),
    { shape: [...shape] },
  );

/** Two layers, 3 → 4 → 2, in float32. */
export const layers = graph(
  {
    x: input(['n', 3]),
    t: input(['n', 2]),
    w1: param(waves([3, 4], 1)),
    b1: param(waves([4], 30)),
    w2: param(waves([4, 2], 50)),
  },
  ({ x, t, w1, b1, w2 }) => {
    const y = matmul(tanh(add(matmul(x, w1), b1)), w2);
    return { y, loss: mse(y, t) };
  },
);

/** What `layers` is fed. */
export interface Batch {
  readonly x: Tensor;
  readonly t: Tensor;
}

export const batchesOf = (count: number, rows = 5): readonly Batch[] =>
  Array.from({ length: count }, (_, k) => ({ x: waves([rows, 3], 100 + k), t: waves([rows, 2], 900 + k) }));

export const optimizers: Readonly<Record<string, Optimizer>> = {
  sgd: sgd({ rate: 0.05 }),
  momentum: sgd({ rate: 0.05, momentum: 0.9 }),
  nesterov: sgd({ rate: (step) => 0.1 / step, momentum: 0.9, nesterov: true, weightDecay: 0.01 }),
  adam: adam({ rate: 0.01 }),
  adamW: adamW({ rate: (step) => 0.02 / step, weightDecay: 0.1 }),
};

export const trained = (batches: readonly Batch[], options: Partial<TrainOptions> = {}): Promise<TrainStep[]> =>
  lastValueFrom(from(batches).pipe(train(layers, { loss: 'loss', optimizer: optimizers['adam'], ...options }), toArray()));
