/**
 * @file Which digit is it? 784 pixels, 128 hidden units, 10 classes: one network, as a graph that learns and as one that answers.
 */
import { add, argmax, crossEntropy, graph, input, matmul, param, relu, softmax, type Graph, type GraphSymbol, type Tensor } from '../../src/index.js'; // prettier-ignore

/** Pixels of an image, row by row, from 0 (paper) to 1 (ink). */
export const SIDE = 28;
export const PIXELS = SIDE * SIDE;
export const CLASSES = 10;

/** Shapes of what learns. */
export const SHAPES = { w1: [PIXELS, 128], b1: [128], w2: [128, CLASSES], b2: [CLASSES] } as const;

export type Weights = Readonly<Record<keyof typeof SHAPES, Tensor>>;
type Symbols = Readonly<Record<'x' | keyof typeof SHAPES, GraphSymbol>>;

const dense = (x: GraphSymbol, w: GraphSymbol, b: GraphSymbol): GraphSymbol => add(matmul(x, w), b);
const logits = ({ x, w1, b1, w2, b2 }: Symbols): GraphSymbol => dense(relu(dense(x, w1, b1)), w2, b2);

const declared = ({ w1, b1, w2, b2 }: Weights) => ({
  x: input(['n', PIXELS]),
  w1: param(w1),
  b1: param(b1),
  w2: param(w2),
  b2: param(b2),
});

/** Images `x` [n, 784] and one-hot rows `t` [n, 10] to the `loss` that training makes smaller. */
export const learner = (weights: Weights): Graph =>
  graph({ ...declared(weights), t: input(['n', CLASSES]) }, ({ t, ...symbols }) => ({
    loss: crossEntropy(logits(symbols), t) as GraphSymbol,
  }));

/** Images `x` [n, 784] to the `chances` of each digit [n, 10], and the likeliest `digit` [n]. */
export const classifier = (weights: Weights): Graph =>
  graph(declared(weights), (symbols) => {
    const chances = softmax(logits(symbols), { axis: -1 });
    return { chances, digit: argmax(chances, { axis: -1 }) };
  });
