/**
 * @file A step of training a perceptron on a batch of 64: loss, and the gradients of all weights.
 */
import { add, gradient, graph, input, logSoftmax, matmul, mean, mul, neg, param, relu, sum, tensor, type Graph, type GraphSymbol, type Shape, type Tensor } from '../../src/index.js'; // prettier-ignore
import { seeded } from './seeded.js';

const LAYERS: readonly (readonly [number, number])[] = [[784, 256], [256, 128], [128, 10]]; // prettier-ignore

const small = (shape: Shape, seed: number): Tensor => {
  const next = seeded(seed);
  return tensor(
    Float32Array.from({ length: shape.reduce((count, size) => count * size, 1) }, () => next() / 10 - 0.05),
    {
      shape: [...shape],
    },
  );
};

export function mlpStep(): Graph {
  const weights = LAYERS.flatMap(([from, to], k) => [
    [`w${k}`, param(small([from, to], k + 1))] as const,
    [`b${k}`, param(small([to], k + 9))] as const,
  ]);
  const declared = { x: input([64, 784]), t: input([64, 10]), ...Object.fromEntries(weights) };
  const model = graph(declared, (given) => {
    const { x, t, ...layers } = given as Record<string, GraphSymbol>;
    let h = x;
    LAYERS.forEach((_, k) => {
      h = add(matmul(h, layers[`w${k}`]), layers[`b${k}`]);
      if (k < LAYERS.length - 1) h = relu(h);
    });
    return { loss: neg(mean(sum(mul(t, logSoftmax(h, { axis: 1 })), { axis: 1 }))) };
  }) as Graph;
  return gradient(model, { of: 'loss', wrt: weights.map(([name]) => name), value: true });
}

export const mlpFeeds = (): Readonly<Record<'x' | 't', Tensor>> => ({ x: small([64, 784], 20), t: small([64, 10], 21) });
