/**
 * @file Learning as a stream: shuffled batches → moved by a pixel → `train` → steps. The event loop has its turn between batches, for signals.
 */
import { setImmediate } from 'node:timers/promises';
import { from, type Observable } from 'rxjs';
import {
  argmax,
  cosineDecay,
  evaluateSync,
  minibatches,
  sgd,
  train,
  type Backend,
  type TrainState,
  type TrainStep,
} from '../../src/index.js';
import type { Digits } from './digits.js';
import { classifier, learner, type Weights } from './model.js';
import { shifted } from './shift.js';
import { startingWeights } from './weights.js';

const BATCH = 64;
const RATE = 0.1;

/** Batches of one epoch: the last has fewer images. */
export const batchesPerEpoch = ({ count }: Digits): number => Math.ceil(count / BATCH);

/** Steps from the weights that the seed gives, or from a saved state on. What a step gives is lent until the next one. */
export function learning(
  seed: number,
  epochs: number,
  { x, t }: Digits,
  backend: Backend,
  saved?: TrainState,
): Observable<TrainStep> {
  const behind = saved?.batches ?? 0;
  const batches = minibatches({ x, t }, { size: BATCH, epochs, seed, from: behind });
  return from(unhurried(batches)).pipe(
    shifted(seed, behind),
    train(learner(startingWeights(seed)), {
      loss: 'loss',
      optimizer: sgd({ rate: cosineDecay({ rate: RATE, steps: epochs * batches.perEpoch }), momentum: 0.9 }),
      backend,
      outputs: 'borrow',
      state: saved,
    }),
  );
}

async function* unhurried<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) {
    yield item;
    await setImmediate();
  }
}

export interface Grade {
  readonly loss: number;
  /** Share of the images whose digit was found. */
  readonly accuracy: number;
}

/** How well weights do on images, which lie in the backend's memory from now on. */
export function grader({ x, t, count }: Digits, backend: Backend): (weights: Readonly<Record<string, unknown>>) => Grade {
  const images = { x: backend.upload(x), t: backend.upload(t) };
  const any = startingWeights(0);
  const [loses, answers] = [learner(any), classifier(any)];
  const wanted = argmax(t, { axis: -1 }).data;
  return (weights) => {
    const params = weights as Weights;
    const { loss } = evaluateSync(loses, { ...images, ...params }, { backend });
    const { digit } = evaluateSync(answers, { x: images.x, ...params }, { backend });
    let right = 0;
    for (let row = 0; row < count; row++) if (digit.data[row] === wanted[row]) right++;
    return { loss: Number(loss.data[0]), accuracy: right / count };
  };
}
