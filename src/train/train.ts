/**
 * @file `train`: learning as an operator, from batches to steps.
 */
import { bufferCount, concatMap, defer, from, map, type Observable, type OperatorFunction } from 'rxjs';
import type { Graph, Names } from '../graph/graph.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import type { Feeds } from '../run/feeds.js';
import type { Tensor } from '../tensor/tensor.js';
import { readLossScale } from './loss-scale.js';
import { learnedParams } from './learned.js';
import { checkTrainOptions, type TrainOptions } from './options.js';
import { checkState, initialState, type TrainState } from './state.js';
import { trainer } from './trainer.js';

/** What one step of training gave. */
export interface TrainStep {
  /** Counts from 1; a step that was left out repeats the one before. */
  readonly step: number;
  /** Before the step; the mean over its batches. */
  readonly loss: number;
  /** Of all gradients together, before they were clipped. */
  readonly gradientNorm: number;
  /** The value that `prediction` names, as it was before the step; of the last of its batches. */
  readonly prediction: Tensor | undefined;
  /** A loss or gradient was not finite, and nothing was learned. */
  readonly isSkipped: boolean;
  /** The parameters after the step. */
  readonly params: Readonly<Record<string, Tensor>>;
  /** Where to go on. */
  readonly state: TrainState;
}

/**
 * Learns from each batch, in order: one step for each, or for each `accumulate` of them.
 *
 * The model is a graph whose `param`s learn, and of which one output is the loss. Params are never changed: each step gives new ones,
 * all at once. Each subscription starts from `state`. A stream that never ends, with `prediction`, is online learning.
 *
 * ```ts
 * const model = graph({ x: input(['n']), t: input(['n']), w: param(tensor(0)) }, ({ x, t, w }) => ({ loss: mse(mul(x, w), t) }));
 * const batch = { x: [1, 2], t: [2, 4] };
 * const steps$ = of(batch, batch).pipe(train(model, { loss: 'loss', optimizer: sgd({ rate: 0.1 }) }));
 * steps$.pipe(map(({ loss, params }) => [loss, params.w.toArray()])) // => [[10, 1], [2.5, 1.5]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options and a state that does not fit, E_GRADIENT for an op without a rule, at the call;
 *   E_NUMERIC on the stream, naming the first node that is not finite; what `run` throws for feeds
 */
export function train<I extends Names>(model: Graph<I>, options: TrainOptions): OperatorFunction<Feeds<I>, TrainStep> {
  checkTrainOptions(options);
  const { accumulate = 1, lossScale = 1, optimizer, backend } = options;
  throwIfBroken(model);
  const learned = learnedParams(model, options.wrt);
  const fresh = initialState(learned, optimizer, readLossScale(lossScale).start);
  if (options.state !== undefined) checkState(options.state, fresh);
  const step = trainer(model, options, learned);
  const isAsynchronous = backend?.capabilities.asynchronous === true;
  return (batches$) =>
    defer(() => {
      let state = options.state ?? fresh;
      const keep = (done: TrainStep): TrainStep => {
        ({ state } = done);
        return done;
      };
      const groups$ = batches$.pipe(bufferCount(accumulate)) as Observable<readonly Feeds[]>;
      return isAsynchronous
        ? groups$.pipe(concatMap((batches) => from(step.takeLater(state, batches)).pipe(map(keep))))
        : groups$.pipe(map((batches) => keep(step.take(state, batches))));
    });
}

/** Learning from a stream that does not end: each frame is predicted, then learned from. */
export { train as trainOnline };
