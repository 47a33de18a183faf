/**
 * @file The workloads as graphs, written the way a user would. Weights are params; what changes from call to call is fed.
 */
import type { Declaration, Graph, GraphSymbol } from '../../../src/index.js';
import type { Shapes } from './hosts/host.js';
import type { Inputs } from './references.js';

export type Engine = typeof import('../../../src/index.js');

export interface Started {
  readonly graph: Graph;
  /** Names of what is fed. */
  readonly fed: readonly string[];
}

type Make = (inputs: Inputs, shapes: Shapes) => Started;
type Symbols = Readonly<Record<string, GraphSymbol>>;

export function graphs(engine: Engine): Readonly<Record<string, Make>> {
  const { add, crossEntropy, einsum, exp, graph, input, matmul, max, maximum, minimum, mul, param, relu } = engine;
  const { sigmoid, softmax, sum, tanh, tensor } = engine;
  const declared = (names: readonly string[], inputs: Inputs, shapes: Shapes): Readonly<Record<string, Declaration>> =>
    Object.fromEntries(
      Object.entries(shapes).map(([name, shape]) => [
        name,
        names.includes(name) ? input(shape) : param(tensor(inputs[name], { shape })),
      ]),
    );
  const fed =
    (names: readonly string[], output: (symbols: Symbols) => GraphSymbol): Make =>
    (inputs, shapes) => ({
      graph: graph(declared(names, inputs, shapes), (symbols: Symbols) => ({ y: output(symbols) })),
      fed: names,
    });

  const product = fed(['a', 'b'], ({ a, b }) => matmul(a, b));
  const chain = fed(['x'], ({ x }) => add(minimum(exp(relu(tanh(sigmoid(add(mul(x, 1.5), 0.25))))), 2), 0.5));
  const dense = (x: GraphSymbol, w: GraphSymbol, b: GraphSymbol): GraphSymbol => add(matmul(x, w), b);
  const perceptron = fed(['x'], ({ x, w1, b1, w2, b2, w3, b3 }) =>
    softmax(dense(relu(dense(relu(dense(x, w1, b1)), w2, b2)), w3, b3), { axis: -1 }),
  );

  return {
    mm64: product,
    mm256: product,
    mm512: product,
    mm1024: product,
    attn: fed(['q', 'k'], ({ q, k }) => einsum('bhqd,bhkd->bhqk', q, k)),
    ein3: fed(['a', 'b', 'c'], ({ a, b, c }) => einsum('ijk,jl,kl->il', a, b, c)),
    join3: fed(['a', 'b', 'c'], ({ a, b, c }) => einsum('xy,yz,zw->xw', a, b, c)),
    ew1m: chain,
    ew10m: chain,
    red0: fed(['x'], ({ x }) => sum(x, { axis: 0 })),
    red1: fed(['x'], ({ x }) => sum(x, { axis: 1 })),
    redall: fed(['x'], ({ x }) => sum(x)),
    redmax: fed(['x'], ({ x }) => max(x)),
    softmax: fed(['x'], ({ x }) => softmax(x, { axis: -1 })),
    perm: fed(['x'], ({ x }) => einsum('ijk->kji', x)),
    mlp1: perceptron,
    mlp64: perceptron,
    train64: (inputs, shapes) => ({
      graph: graph(declared(['x', 'y'], inputs, shapes), ({ x, y, w1, b1, w2, b2, w3, b3 }: Symbols) => ({
        loss: crossEntropy(dense(relu(dense(relu(dense(x, w1, b1)), w2, b2)), w3, b3), y) as GraphSymbol,
      })),
      fed: ['x', 'y'],
    }),
    tiny: fed(['x'], ({ x, a, b }) => {
      let y = x;
      for (let round = 0; round < 3; round++) y = relu(add(mul(y, a), b));
      return add(y, a);
    }),
    closure: fed(['r'], ({ r }) => {
      let reached = r;
      for (let round = 0; round < 8; round++) reached = maximum(reached, minimum(matmul(reached, reached), 1));
      return reached;
    }),
  };
}
