/** @file A step of training as a graph: how many nodes it has, and how many are left to run. */
import { expect } from 'chai';
import { adam, add, crossEntropy, gradient, graph, input, matmul, nodeCount, param, relu, sgd, steps, zeros, type Graph } from '../../src/index.js'; // prettier-ignore
import { learnedParams } from '../../src/train/learned.js';
import { stepGraph } from '../../src/train/step-graph.js';

const weights = (...shape: readonly number[]) => param(zeros([...shape]));

/** Digits: 784 → 256 → 128 → 10. */
const digits = graph(
  { x: input(['n', 784]), t: input(['n', 10]), w1: weights(784, 256), b1: weights(256), w2: weights(256, 128), b2: weights(128), w3: weights(128, 10), b3: weights(10) },
  ({ x, t, w1, b1, w2, b2, w3, b3 }) => {
    const hidden = relu(add(matmul(relu(add(matmul(x, w1), b1)), w2), b2));
    return { loss: crossEntropy(add(matmul(hidden, w3), b3), t) };
  },
); // prettier-ignore
const wrt = ['w1', 'b1', 'w2', 'b2', 'w3', 'b3'];

describe('a step of training a 784-256-128-10 network, as a graph', () => {
  const learned = learnedParams(digits, undefined);
  for (const [what, made, most] of [
    ['forward', digits, 8],
    ['its gradient', gradient(digits, { of: 'loss', wrt }), 26],
    ['a step of sgd', stepGraph(digits, { loss: 'loss', optimizer: sgd({ rate: 0.1 }) }, learned), 50],
    ['a step of adam', stepGraph(digits, { loss: 'loss', optimizer: adam() }, learned), 62],
  ] as readonly (readonly [string, Graph, number])[])
    it(`${what} runs as at most ${most} kernels`, () => {
      const [given, left] = [steps(made, { level: 'none' }).length, steps(made).length];
      console.log(`      ${what}: ${nodeCount(made)} nodes, ${given} of them ops, ${left} steps after optimisation`);
      expect(left).to.be.at.most(most);
      expect(left).to.be.lessThan(given);
    });
});
