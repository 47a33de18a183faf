/**
 * @file How one step is taken: which graphs run on which feeds, and what becomes of the result.
 */
import type { Graph } from '../graph/graph.js';
import { evaluate, evaluateSync, type Feeds, type Outputs } from '../run/index.js';
import { tensor, zeros } from '../tensor/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import { checkBatch, scalarIn } from './check-batch.js';
import { firstNotFinite } from './not-finite.js';
import type { Learned } from './learned.js';
import { halved, isTooLarge, readLossScale, steadied } from './loss-scale.js';
import { NORM, scalarName, sumName } from './names.js';
import type { TrainOptions } from './options.js';
import type { TrainState } from './state.js';
import { stepGraph, sumGraph, updateGraph } from './step-graph.js';
import type { TrainStep } from './train.js';

export interface Trainer {
  readonly take: (state: TrainState, batches: readonly Feeds[]) => TrainStep;
  readonly takeLater: (state: TrainState, batches: readonly Feeds[]) => Promise<TrainStep>;
}

/** Work on a graph that goes on when its outputs are there: at once, or later. */
type Running = Generator<readonly [Graph, Feeds], TrainStep, Outputs>;

export function trainer(model: Graph, options: TrainOptions, learned: readonly Learned[]): Trainer {
  const { backend, level, fallback, onDiagnostic, accumulate = 1, onNaN = 'error' } = options;
  const scale = readLossScale(options.lossScale ?? 1);
  const run = { backend, level, fallback, onDiagnostic };
  const whole = stepGraph(model, options, learned);
  const apart = accumulate === 1 ? undefined : { sums: sumGraph(model, options, learned), update: updateGraph(options, learned) };

  function* steps(state: TrainState, batches: readonly Feeds[]): Running {
    const { optimizer, loss: lossName, prediction: shown } = options;
    for (const batch of batches) checkBatch(model, learned, batch);
    const step = state.step + 1;
    const scalars = { ...optimizer.scalars(step), share: 1 / (state.lossScale * batches.length) };
    const own = { ...state.params, ...scalarFeeds(scalars, learned) };
    const weight = { 'step weight': state.lossScale };
    let [loss, prediction]: [number, Tensor | undefined] = [0, undefined];
    const note = (outputs: Outputs): void => {
      loss += numberIn(scalarIn(lossName, outputs[lossName])) / batches.length;
      prediction = shown === undefined ? undefined : outputs[shown];
    };
    let last: Outputs;
    if (apart === undefined || batches.length === 1) {
      last = yield [whole, { ...batches[0], ...own, ...state.slots, ...weight }];
      note(last);
    } else {
      let sums: Record<string, Tensor> = Object.fromEntries(learned.map(({ name, value }) => [sumName(name), zeros(value.shape, { dtype: value.dtype as ComputedDType })])); // prettier-ignore
      for (const batch of batches) {
        const outputs: Outputs = yield [apart.sums, { ...batch, ...own, ...sums, ...weight }];
        note(outputs);
        sums = Object.fromEntries(learned.map(({ name }) => [sumName(name), outputs[sumName(name)]]));
      }
      last = yield [apart.update, { ...own, ...sums, ...state.slots }];
    }
    const gradientNorm = numberIn(last[NORM]);
    const isFinite = Number.isFinite(loss) && Number.isFinite(gradientNorm);
    // With a scaled loss an overflow says that the scale is too large, and the step is left out.
    const isScaled = isTooLarge(state) && Number.isFinite(loss);
    if (!isFinite && onNaN === 'error' && !isScaled)
      throw firstNotFinite(whole, lossName, batches.map((batch) => ({ ...batch, ...own, ...state.slots, ...weight })), loss); // prettier-ignore
    const isSkipped = !isFinite && (isScaled || onNaN === 'skip');
    const read = { ...state, batches: state.batches + batches.length };
    const next = isSkipped
      ? { ...read, ...(isScaled ? halved(state) : {}) }
      : { ...read, ...steadied(state, scale), step, params: chosen(state.params, last), slots: chosen(state.slots, last) };
    Object.freeze(next);
    return Object.freeze({ step: next.step, loss, gradientNorm, prediction, isSkipped, params: next.params, state: next });
  }

  return {
    take(state, batches) {
      const running = steps(state, batches);
      let turn = running.next();
      while (turn.done !== true) turn = running.next(evaluateSync(...turn.value, run));
      return turn.value;
    },
    async takeLater(state, batches) {
      const running = steps(state, batches);
      let turn = running.next();
      while (turn.done !== true) turn = running.next(await evaluate(...turn.value, run));
      return turn.value;
    },
  };
}

const numberIn = ({ data }: Tensor): number => Number(data[0]);

const chosen = (names: Readonly<Record<string, Tensor>>, from: Outputs): Readonly<Record<string, Tensor>> =>
  Object.freeze(Object.fromEntries(Object.keys(names).map((name) => [name, from[name]])));

/** The scalars of a step as feeds, in each dtype that a param has. */
function scalarFeeds(scalars: Readonly<Record<string, number>>, learned: readonly Learned[]): Record<string, Tensor> {
  const dtypes = new Set(learned.map(({ value }) => value.dtype as ComputedDType));
  return Object.fromEntries(
    [...dtypes].flatMap((dtype) =>
      Object.entries(scalars).map(([name, value]) => [scalarName(name, dtype), tensor(value, { dtype })] as const),
    ),
  );
}
