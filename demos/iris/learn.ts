/**
 * @file A network of 4, 8 and 3 units that learns from some flowers, and names others.
 */
import { from, last, map, type Observable } from 'rxjs';
import { add, argmax, cosineDecay, crossEntropy, div, evaluateSync, graph, input, js, matmul, mean, minibatches, param, sgd, std, sub, tanh, train, zeros, type GraphSymbol, type Tensor } from '../../src/index.js'; // prettier-ignore
import { startingLayer, uniform } from '../mnist/weights.js';
import { KINDS, type Flowers } from './flowers.js';

const [HIDDEN, EPOCHS, BATCH] = [8, 30, 20];

const next = uniform(2);
const model = graph(
  {
    x: input(['n', 4]),
    t: input(['n', KINDS.length]),
    w1: param(startingLayer([4, HIDDEN], next)),
    b1: param(zeros([HIDDEN])),
    w2: param(startingLayer([HIDDEN, KINDS.length], next)),
    b2: param(zeros([KINDS.length])),
  },
  ({ x, t, w1, b1, w2, b2 }) => {
    const logits = add(matmul(tanh(add(matmul(x, w1), b1)), w2), b2);
    return { loss: crossEntropy(logits, t) as GraphSymbol, kind: argmax(logits, { axis: -1 }) };
  },
);
const backend = js();
const rate = cosineDecay({ rate: 0.2, steps: (EPOCHS * 120) / BATCH });
const learning = train(model, { loss: 'loss', optimizer: sgd({ rate, momentum: 0.9 }), backend });

/** The kinds that `unseen` are called, once all of `known` was gone through `EPOCHS` times. */
export function called(known: Flowers, unseen: Flowers, seed: number): Observable<readonly number[]> {
  // Centimetres become distances from the mean, in standard deviations, both of what is known.
  const [center, spread] = [mean(known.x, { axis: 0 }), std(known.x, { axis: 0 })];
  const scaled = (x: Tensor): Tensor => div(sub(x, center), spread);
  return from(minibatches({ x: scaled(known.x), t: known.t }, { size: BATCH, epochs: EPOCHS, seed })).pipe(
    learning,
    last(),
    map(
      ({ params }) =>
        evaluateSync(model, { x: scaled(unseen.x), t: unseen.t, ...params }, { backend }).kind.toArray() as number[],
    ),
  );
}
